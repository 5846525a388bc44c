import type { GatewayDocs } from '../../adapters/http/openapi/gateway-docs.js'
import { gatewayPage } from '../reference/gateway.js'
import { gatewayDocument } from './gateway-document.js'
import { htmlOf } from './html-of.js'

/** The Gateway's reference as a page and as a document. Written when the first reader asks (decision 45). */
export function gatewayDocs(): GatewayDocs {
  return { content: htmlOf(gatewayPage()), document: gatewayDocument() }
}
