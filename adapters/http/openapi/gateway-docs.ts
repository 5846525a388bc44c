/** The reference of the Gateway, which this adapter does not know. */
export interface GatewayDocs {
  /** The HTML of its page, without the frame that all pages have. */
  readonly content: string
  /** An AsyncAPI 3 document. */
  readonly document: object
}

/** Writes it when the first reader asks. */
export type LoadGatewayDocs = () => Promise<GatewayDocs>
