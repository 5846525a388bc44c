import type { Failure } from './failure.ts'

/** What proves who somebody is, beside the sign-in: the members of the body that sudo mode asks for. */
export interface Proof {
  readonly password?: string
  readonly mfa_method?: string
  readonly mfa_code?: string
}

type Ask = (failure: Failure) => Promise<Proof>

let asker: Ask | undefined

/** Says who asks the reader: the dialog, as long as it is there. */
export function proofIsAskedBy(ask: Ask): () => void {
  asker = ask
  return () => {
    if (asker === ask) asker = undefined
  }
}

/** Rejects with the refusal where nobody can be asked, or the reader does not want to. */
export function askForProof(failure: Failure): Promise<Proof> {
  return asker ? asker(failure) : Promise.reject(failure)
}
