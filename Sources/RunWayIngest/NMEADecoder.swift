internal import CLibXML2
internal import CZlib
