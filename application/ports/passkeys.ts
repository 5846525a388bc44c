/** The party that passkeys are made for. A browser gives an assertion to no other party. */
export interface RelyingParty {
  /** A host name. */
  readonly id: string
  readonly name: string
  /** Scheme, host and port of each page that may ask for a passkey. */
  readonly origins: readonly string[]
}

/** The request that an authenticator's answer must belong to. */
export interface PasskeyRequest {
  readonly party: RelyingParty
  /** As given to the client: base64url. */
  readonly challenge: string
  /** Whether the authenticator must have verified the user. It must always confirm that a user is present. */
  readonly verifiesUser: boolean
}

/** A credential at registration. */
export interface NewPasskey {
  /** base64url. */
  readonly id: string
  /** base64url of the COSE key. */
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
}

export type RegistrationFault = 'INVALID_WEBAUTHN_CREDENTIAL' | 'INVALID_WEBAUTHN_PUBLIC_KEY_FORMAT'

/** The unproven claims of an assertion. */
export interface PasskeyClaim {
  /** base64url. */
  readonly credentialId: string
  /** The account that the authenticator stored with the credential, as text; null if it gives none. */
  readonly userHandle: string | null
}

/** Reads the answers of authenticators. `response` is JSON from a client, with no part validated. */
export interface Passkeys {
  /** The credential of a registration response, or the fault in it. */
  register(request: PasskeyRequest, response: object): Promise<NewPasskey | { readonly fault: RegistrationFault }>
  /** The credential and account that an assertion claims; undefined if it is not an assertion. */
  claimOf(response: object): PasskeyClaim | undefined
  /**
   * The signature counter of an assertion made with this credential for this request; undefined for any other. The counter must
   * be above `counter`, unless both are 0.
   */
  verify(
    request: PasskeyRequest,
    response: object,
    credential: Omit<NewPasskey, 'transports'>,
  ): Promise<number | undefined>
}
