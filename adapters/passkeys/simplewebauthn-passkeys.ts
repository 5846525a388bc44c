import type { Passkeys } from '../../application/ports/passkeys.ts'
import { assertionAnswer, registrationAnswer } from './authenticator-answers.ts'

/** Passkeys through @simplewebauthn/server. It is loaded with the first answer, because that takes a quarter of a second. */
export function simplewebauthnPasskeys(): Passkeys {
  return {
    async register(request, given) {
      const { data: answer } = registrationAnswer.safeParse(given)
      if (!answer) return { fault: 'INVALID_WEBAUTHN_CREDENTIAL' }
      const { registeredBy } = await import('./verified-answers.ts')
      return registeredBy(request, answer)
    },
    claimOf(given) {
      const { data: answer } = assertionAnswer.safeParse(given)
      return answer && { credentialId: answer.id, userHandle: answer.userHandle }
    },
    async verify(request, given, credential) {
      const { data: answer } = assertionAnswer.safeParse(given)
      if (answer?.id !== credential.id) return undefined
      const { counterOf } = await import('./verified-answers.ts')
      return counterOf(request, answer, credential)
    },
  }
}
