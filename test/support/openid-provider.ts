import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose'

export interface ProviderAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, unless it is text. */
  readonly body?: unknown
}

/** The provider's signing keys, and the part of them that it publishes. */
export interface ProviderKeys {
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly jwk: JWK
}

/** What a provider may do wrong. Each replaces the right behaviour. */
export interface ProviderFaults {
  readonly discovery?: (document: Readonly<Record<string, unknown>>) => ProviderAnswer
  readonly token?: (answer: Readonly<Record<string, unknown>>) => ProviderAnswer
  readonly idToken?: (claims: JWTPayload, keys: ProviderKeys) => Promise<string>
  readonly userInfo?: (claims: Readonly<Record<string, unknown>>) => ProviderAnswer
  readonly jwks?: (keys: readonly JWK[]) => ProviderAnswer
}

/** A local OpenID provider: discovery, authorization, tokens, user info and keys, over real HTTP and with real signatures. */
export interface OpenIdProviderServer {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly keys: ProviderKeys
  /** The person who is signed in at the provider: claims of the ID token and the user info. */
  person: Readonly<Record<string, unknown> & { sub: string }>
  /** Which of the two has the claims; both have the subject. */
  claimsIn: 'id_token' | 'userinfo' | 'both'
  /** How the client must give its secret at the token endpoint, and what the discovery document offers; null offers nothing. */
  secretBy: { readonly taken: 'basic' | 'form'; readonly offered: readonly string[] | null }
  faults: ProviderFaults
  /** The requested paths, oldest first. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

interface Granted {
  readonly nonce: string | null
  readonly challenge: string | null
  readonly redirectUri: string | null
}

/** Signs claims as the provider does. `header` members override its own. */
export function signed(claims: JWTPayload, { privateKey, jwk }: ProviderKeys, header: object = {}): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: String(jwk.kid), ...header }).sign(privateKey)
}

export async function startOpenIdProvider(): Promise<OpenIdProviderServer> {
  const keys = await newKeys('key-1')
  const asked: string[] = []
  const granted = new Map<string, Granted>()
  const accessTokens = new Set<string>()
  const clientId = 'guildhall'
  const clientSecret = randomBytes(16).toString('hex')

  async function answerTo(request: IncomingMessage): Promise<ProviderAnswer> {
    const url = new URL(request.url ?? '/', self.issuer)
    asked.push(url.pathname)
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return (self.faults.discovery ?? json)(discoveryDocument(self))
      case '/authorize':
        return authorize(url.searchParams)
      case '/token':
        return token(request)
      case '/userinfo':
        return userInfo(request)
      case '/jwks':
        return (self.faults.jwks ?? ((all) => json({ keys: all })))([keys.jwk])
      default:
        return { status: 404 }
    }
  }

  function authorize(asks: URLSearchParams): ProviderAnswer {
    const isRight = asks.get('response_type') === 'code' && asks.get('client_id') === clientId
    if (!isRight || asks.get('code_challenge_method') !== 'S256')
      return { status: 400, body: { error: 'invalid_request' } }
    const redirectUri = asks.get('redirect_uri')
    const code = randomBytes(16).toString('base64url')
    granted.set(code, { nonce: asks.get('nonce'), challenge: asks.get('code_challenge'), redirectUri })
    const back = new URL(String(redirectUri))
    back.searchParams.set('code', code)
    back.searchParams.set('state', asks.get('state') ?? '')
    back.searchParams.set('iss', self.issuer)
    return { status: 302, headers: { location: back.href } }
  }

  async function token(request: IncomingMessage): Promise<ProviderAnswer> {
    const asks = new URLSearchParams(await textOf(request))
    if (!isProved(request, asks)) return { status: 401, body: { error: 'invalid_client' } }
    const grant = granted.get(asks.get('code') ?? '')
    granted.delete(asks.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(asks.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant?.challenge !== challenge || grant.redirectUri !== asks.get('redirect_uri'))
      return { status: 400, body: { error: 'invalid_grant' } }
    const accessToken = randomBytes(16).toString('base64url')
    accessTokens.add(accessToken)
    const idToken = await (self.faults.idToken ?? signed)(idTokenClaims(grant), keys)
    const answer = { access_token: accessToken, token_type: 'Bearer', expires_in: 60, id_token: idToken }
    return (self.faults.token ?? json)(answer)
  }

  function isProved({ headers }: IncomingMessage, asks: URLSearchParams): boolean {
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    if (self.secretBy.taken === 'basic') return headers.authorization === basic && !asks.has('client_secret')
    return headers.authorization === undefined && asks.get('client_secret') === clientSecret
  }

  function idTokenClaims({ nonce }: Granted): JWTPayload {
    const now = Math.floor(Date.now() / 1000)
    const claims = self.claimsIn === 'userinfo' ? { sub: self.person.sub } : self.person
    return { iss: self.issuer, aud: clientId, iat: now, exp: now + 60, nonce, ...claims }
  }

  function userInfo({ headers }: IncomingMessage): ProviderAnswer {
    if (!accessTokens.has(headers.authorization?.replace('Bearer ', '') ?? '')) return { status: 401 }
    return (self.faults.userInfo ?? json)(self.claimsIn === 'id_token' ? { sub: self.person.sub } : self.person)
  }

  const server = createServer((request, response) => {
    answerTo(request).then(
      (answer) => send(response, answer),
      (error: unknown) => send(response, { status: 500, body: String(error) }),
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const self: OpenIdProviderServer = {
    issuer: `http://127.0.0.1:${port}`,
    clientId,
    clientSecret,
    keys,
    person: { sub: 'nobody' },
    claimsIn: 'both',
    secretBy: { taken: 'basic', offered: null },
    faults: {},
    asked,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return self
}

export async function newKeys(kid: string): Promise<ProviderKeys> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  return { privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } }
}

function discoveryDocument({ issuer, secretBy }: OpenIdProviderServer) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    authorization_response_iss_parameter_supported: true,
    ...(secretBy.offered === null ? {} : { token_endpoint_auth_methods_supported: secretBy.offered }),
  }
}

function json(body: unknown): ProviderAnswer {
  return { body }
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: ProviderAnswer): void {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
