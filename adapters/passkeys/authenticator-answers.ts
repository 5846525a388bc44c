import { z } from 'zod'

/** The JSON forms of authenticators' answers, as far as they are read. */

/** Attestation objects and client data take a few hundred bytes; this many characters of base64url are plenty. */
const characters_max = 16_384
/** The longest possible credential id, 1023 bytes (WebAuthn 3, 5.8.3), in base64url. */
const idCharacters_max = 1364

const binary = z.string().max(characters_max)
const id = z
  .string()
  .max(idCharacters_max)
  .regex(/^[A-Za-z0-9_-]+$/)
/** The transports that are kept. Browsers may name others, which WebAuthn 3 (5.8.4) has servers ignore. */
const transports: ReadonlySet<string> = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

const common = { id, rawId: id, type: z.literal('public-key') }

export const registrationAnswer = z
  .object({
    ...common,
    response: z.object({
      clientDataJSON: binary,
      attestationObject: binary,
      transports: z.array(z.string()).optional(),
    }),
  })
  .transform(({ response: { transports: given, ...response }, ...rest }) => ({
    ...rest,
    response: { ...response, transports: [...new Set(given)].filter((name) => transports.has(name)) },
    clientExtensionResults: {},
  }))

export const assertionAnswer = z
  .object({
    ...common,
    response: z.object({
      clientDataJSON: binary,
      authenticatorData: binary,
      signature: binary,
      userHandle: binary.nullish(),
    }),
  })
  .transform(({ response: { userHandle, ...response }, ...rest }) => ({
    ...rest,
    response,
    userHandle: userHandle ? Buffer.from(userHandle, 'base64url').toString('utf8') : null,
    clientExtensionResults: {},
  }))
