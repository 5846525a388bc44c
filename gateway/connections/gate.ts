/** Decides who may connect to the Gateway. */
export interface Gate {
  /** Why a client from an address may not connect or stay, as the JSON of a refusal; undefined if it may. */
  refusalOf(address: string): string | undefined
  /** Calls `handle` whenever the answer may have changed, until the returned function is called. */
  onChange(handle: () => void): () => void
}

export const everybody: Gate = { refusalOf: () => undefined, onChange: () => () => undefined }
