import type { StoreAnswer, StoreFailure } from '../../application/ports/stores.ts'

/** Ends a call of a store. `answered` turns it into the answer, so it never leaves the adapter. */
export class StoreFailed extends Error {
  override readonly name = 'StoreFailed'
  readonly failure: StoreFailure

  constructor(kind: StoreFailure['kind'], detail: string, options?: ErrorOptions) {
    super(`${kind}: ${detail}`, options)
    this.failure = { kind, detail }
  }
}

/** What the act gives, or the failure that it ends with. Any other error is a defect of ours and is thrown on. */
export async function answered<Value>(act: () => Promise<Value>): Promise<StoreAnswer<Value>> {
  try {
    return { ok: true, value: await act() }
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error
    return { ok: false, failure: error.failure }
  }
}
