import type { AccountId } from '../../domain/ids/ids.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'

/** What a sudo proof says: which account proved itself, in which session, and under which of its credentials. */
export interface SudoProof {
  readonly accountId: AccountId
  readonly tokenHash: string
  readonly credentialVersion: number
}

/** How long a proof lasts; sending it again makes it no longer (contract part 1, Sudo mode). */
export const sudoProof_s = 300

/** Writes sudo proofs that nobody can make but this service. */
export interface SudoProofs {
  issue(proof: SudoProof, now: Timestamp): Promise<string>
  /** What a proof says; undefined for one that is malformed, forged, for another purpose or expired. */
  read(text: string, now: Timestamp): Promise<SudoProof | undefined>
}
