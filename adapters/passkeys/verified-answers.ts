import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers'
import type { z } from 'zod'
import { passkeyAlgorithms } from '../../application/identity/passkeys/options.ts'
import type { NewPasskey, PasskeyRequest, RegistrationFault } from '../../application/ports/passkeys.ts'
import type { assertionAnswer, registrationAnswer } from './authenticator-answers.ts'
import { isUsableKey } from './usable-key.ts'

const invalid = { fault: 'INVALID_WEBAUTHN_CREDENTIAL' } as const

// @simplewebauthn/server throws for any fault of an answer, and no caller needs to know more.

/** The credential of a registration, or why it is invalid. */
export async function registeredBy(
  request: PasskeyRequest,
  answer: z.infer<typeof registrationAnswer>,
): Promise<NewPasskey | { readonly fault: RegistrationFault }> {
  const made = await ifAccepted(async () => {
    if (!isPlainlyAttested(answer.response.attestationObject)) return undefined
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expectations(request),
      response: answer,
      supportedAlgorithmIDs: [...passkeyAlgorithms],
    })
    return registrationInfo?.credential
  })
  if (made?.id !== answer.id) return invalid
  if (!isUsableKey(made.publicKey)) return { fault: 'INVALID_WEBAUTHN_PUBLIC_KEY_FORMAT' }
  const publicKey = isoBase64URL.fromBuffer(made.publicKey)
  return { id: made.id, publicKey, counter: made.counter, transports: answer.response.transports }
}

/** The new signature counter of an assertion by that credential; undefined if the assertion is invalid. */
export async function counterOf(
  request: PasskeyRequest,
  answer: z.infer<typeof assertionAnswer>,
  credential: Omit<NewPasskey, 'transports'>,
): Promise<number | undefined> {
  return ifAccepted(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expectations(request),
      response: answer,
      credential: libraryCredential(credential),
    })
    return verified ? authenticationInfo.newCounter : undefined
  })
}

function expectations({ party, challenge, verifiesUser }: PasskeyRequest) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: [...party.origins],
    expectedRPID: party.id,
    requireUserVerification: verifiesUser,
  }
}

function libraryCredential({ id, publicKey, counter }: Omit<NewPasskey, 'transports'>) {
  return { id, publicKey: isoBase64URL.toBuffer(publicKey), counter }
}

/**
 * We request no attestation, so we accept none with certificates: the library would follow their chains to revocation lists at
 * addresses that the sender chooses. An authenticator that signs with the new key itself sends no certificates.
 */
function isPlainlyAttested(attestationObject: string): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

async function ifAccepted<Result>(verify: () => Promise<Result | undefined>): Promise<Result | undefined> {
  try {
    return await verify()
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}
