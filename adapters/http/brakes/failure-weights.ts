import type { Sender } from '../request/exchange.ts'

/** A request that was answered with a status of 400 to 499. */
export interface FailedRequest {
  readonly ip: string
  readonly sender: Sender
  readonly authorization: string | undefined
  readonly status: number
}

/** The weight of an unresolved credential, in addition to that of the status. */
export const unresolvedCredentialWeight = 1

/**
 * The weight of a failed request. Zero if an account sent it, and zero if its credential was never resolved, as for a
 * path that does not exist.
 */
export function failureWeight({ sender, authorization, status }: FailedRequest): number {
  if (sender === 'account' || (sender === 'not asked' && authorization !== undefined)) return 0
  if (status === 429) return 3
  if (status === 401) return 0.75
  return status === 403 ? 0.5 : 0.25
}
