/** Whom passkeys are made for: a browser gives an assertion to no other party (reference identity 5.3). */
export interface RelyingParty {
  /** A host name. */
  readonly id: string
  readonly name: string
  /** Scheme, host and port of the pages that may ask for a passkey. */
  readonly origin: string
}

/** What an answer of an authenticator has to be an answer to. */
export interface PasskeyRequest {
  readonly party: RelyingParty
  /** As it was given to the client: base64url. */
  readonly challenge: string
  /** Whether the authenticator has to have verified who holds it; that somebody is present it always has to say. */
  readonly verifiesUser: boolean
}

/** A credential as it is registered. */
export interface NewPasskey {
  /** base64url. */
  readonly id: string
  /** base64url of the COSE key. */
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
}

export type RegistrationFault = 'INVALID_WEBAUTHN_CREDENTIAL' | 'INVALID_WEBAUTHN_PUBLIC_KEY_FORMAT'

/** What an assertion says before anything of it is proved. */
export interface PasskeyClaim {
  /** base64url. */
  readonly credentialId: string
  /** The account that the authenticator has kept with the credential, as text; null where it tells none. */
  readonly userHandle: string | null
}

/** Reads what authenticators answer. `response` is the JSON of a client, in no form that anybody has checked. */
export interface Passkeys {
  /** The credential of a registration response, or why it is none. */
  register(request: PasskeyRequest, response: object): Promise<NewPasskey | { readonly fault: RegistrationFault }>
  /** Whose assertion it says it is; undefined where it is no assertion. */
  claimOf(response: object): PasskeyClaim | undefined
  /**
   * The signature counter of an assertion that was made with the credential and for this request; undefined for every other.
   * The counter has grown since `counter`, unless both are 0.
   */
  verify(
    request: PasskeyRequest,
    response: object,
    credential: Omit<NewPasskey, 'transports'>,
  ): Promise<number | undefined>
}
