import { refusal, type OAuth2Error } from '../../../domain/kernel/refusal.ts'
import { Refused } from '../../commands/refused.ts'

/** Refuses a request of the OAuth2 protocol in its own envelope. */
export function rejectOAuth2(error: OAuth2Error['error'], description: string): never {
  throw new Refused({ ...refusal('INVALID_REQUEST'), oauth2: { error, error_description: description } })
}
