import { z } from 'zod'
import { nameInput, textInput } from '../scalars.ts'
import { secretOutput } from '../../../../application/wire-objects/scalars.ts'

const binary = z.string().meta({ description: 'base64url' })
const common = {
  id: binary,
  rawId: binary,
  authenticatorAttachment: z.enum(['cross-platform', 'platform']).nullish(),
  clientExtensionResults: z.looseObject({}),
  type: z.literal('public-key'),
}
/** Unknown ones are dropped where the answer is read. */
const transport = z.string().max(64)
const transports_max = 32
const challengeLength = { min: 1, max: 1024 }
const credentialIdLength = { min: 1, max: 2048 }

/** What a browser gives when a passkey signs. */
const assertion = z
  .looseObject({
    ...common,
    response: z.looseObject({
      clientDataJSON: binary,
      authenticatorData: binary,
      signature: binary,
      userHandle: binary.nullish(),
    }),
  })
  .meta({ id: 'WebAuthnAssertion' })

/** What a browser gives when a passkey is made. */
const registrationResponse = z
  .looseObject({
    ...common,
    response: z.looseObject({
      clientDataJSON: binary,
      attestationObject: binary,
      authenticatorData: binary.nullish(),
      transports: z.array(transport).max(transports_max).nullish(),
      publicKeyAlgorithm: z.int().nullish(),
      publicKey: binary.nullish(),
    }),
  })
  .meta({ id: 'WebAuthnRegistrationResponse' })

const challenge = textInput(challengeLength)
const passkeyName = nameInput({ min: 1, max: 100 })
const ticket = textInput({ min: 1, max: 256 })

export const passkeyToRegister = z.object({ response: registrationResponse, challenge, name: passkeyName })
export const passkeyRenaming = z.object({ name: passkeyName })
export const passkeyChoice = z.object({ enabled: z.boolean() })
export const credentialParams = z.object({ credential_id: textInput(credentialIdLength) })

export const passkeySignIn = z.object({ response: assertion, challenge })
export const mfaTicketOnly = z.object({ ticket })
export const passkeyCompletion = z.object({ response: assertion, challenge, ticket })

/** RFC 7636: the SHA-256 of a verifier of 43-128 unreserved characters. */
const codeChallenge = z.string().regex(/^[A-Za-z0-9_-]{43}$/)
const codeVerifier = z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/)

/** The members are ours (decision 148). */
export const bridgeStart = z
  .object({ response: assertion, challenge, code_challenge: codeChallenge })
  .transform(({ code_challenge, ...rest }) => ({ ...rest, codeChallenge: code_challenge }))
export const bridgeRedemption = z
  .object({ ticket, code_verifier: codeVerifier })
  .transform(({ code_verifier, ...rest }) => ({ ...rest, codeVerifier: code_verifier }))
export const bridgeTicket = z
  .object({ ticket: secretOutput.describe('From the step before; it expires.') })
  .meta({ id: 'PasskeyBridgeTicket' })

const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).readonly().optional(),
})

/** What a browser is asked to sign with a passkey. */
export const authenticationOptions = z
  .object({
    challenge: z.string(),
    timeout: z.int().describe('Milliseconds.'),
    rpId: z.string().describe('The domain of the service.'),
    allowCredentials: z.array(descriptor).readonly().optional().describe('The passkeys of the account.'),
    userVerification: z
      .enum(['discouraged', 'required'])
      .describe('Whether the authenticator must know its owner, by PIN or finger.'),
  })
  .meta({ id: 'WebAuthnAuthenticationOptions' })

/** What a browser is asked to make a passkey with. */
export const registrationOptions = z
  .object({
    rp: z.object({ name: z.string(), id: z.string() }).describe('The service, as WebAuthn calls it.'),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z
      .array(z.object({ alg: z.int().describe('The COSE number.'), type: z.literal('public-key') }))
      .readonly()
      .describe('The accepted algorithms, by COSE number.'),
    timeout: z.int().describe('Milliseconds.'),
    excludeCredentials: z.array(descriptor).readonly().describe('Passkeys that the account already has.'),
    authenticatorSelection: z.object({
      residentKey: z.literal('preferred'),
      requireResidentKey: z.boolean().describe('Whether the passkey must be found without a username.'),
      userVerification: z
        .literal('preferred')
        .describe('Whether the authenticator must know its owner, by PIN or finger.'),
    }),
    attestation: z.literal('none'),
    extensions: z
      .object({
        credProps: z.boolean().describe('Whether the client tells if the passkey can be found without a username.'),
      })
      .describe('Extensions of WebAuthn that the client should use.'),
    hints: z.array(z.string()).readonly().describe('Which kinds of authenticators the client should offer first.'),
  })
  .meta({ id: 'WebAuthnRegistrationOptions' })
