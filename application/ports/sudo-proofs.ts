import type { AccountId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'

/** The content of a sudo proof: which account proved itself, in which session, and under which version of its credentials. */
export interface SudoProof {
  readonly accountId: AccountId
  readonly tokenHash: string
  readonly credentialVersion: number
}

/** Issues sudo proofs that only this service can make. */
export interface SudoProofs {
  issue(proof: SudoProof, now: Timestamp): Promise<string>
  /** The content of a proof; undefined for one that is malformed, forged, for another purpose or expired. */
  read(text: string, now: Timestamp): Promise<SudoProof | undefined>
}
