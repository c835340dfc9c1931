@main struct RunwayCommand {
  static func main() async {
  }
}
