import * as oauth from 'oauth4webapi'
import { describe, expect, it } from 'vitest'
import { bodyOf } from '../support/answers.ts'
import { newClient, redirectUri } from '../support/oauth2.ts'
import { openServer } from '../support/scene.ts'

/** The whole flow of a standard OAuth2 client that knows only this server's addresses. */

const insecure = { [oauth.allowInsecureRequests]: true }

const guildhall = await openServer()
const ada = await guildhall.register()
const engine = await newClient(guildhall, ada)
const at = (path: string): string => `${guildhall.url}/v1/oauth2/${path}`
const server: oauth.AuthorizationServer = {
  issuer: guildhall.url,
  authorization_endpoint: at('authorize'),
  token_endpoint: at('token'),
  introspection_endpoint: at('introspect'),
  revocation_endpoint: at('token/revoke'),
  userinfo_endpoint: at('userinfo'),
}

/** The browser of an account that is signed in to the web application and agrees. */
async function agree(authorization: URL): Promise<URL> {
  const page = await fetch(authorization, { redirect: 'manual' })
  const asked = new URL(page.headers.get('location') ?? '').searchParams
  const answer = await guildhall.request('POST', '/v1/oauth2/authorize/consent', {
    token: ada.token,
    body: Object.fromEntries(asked),
  })
  return new URL(String(bodyOf(answer)['redirect_to']))
}

describe.each([
  ['in the form', oauth.ClientSecretPost],
  ['by HTTP Basic', oauth.ClientSecretBasic],
])('a client that proves itself %s', (_, authenticationBy) => {
  it('authorises by a code with PKCE, refreshes, queries and revokes', async () => {
    const client: oauth.Client = { client_id: engine.id }
    const proof = authenticationBy(engine.clientSecret)
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const authorization = new URL(server.authorization_endpoint ?? '')
    authorization.search = new URLSearchParams({
      response_type: 'code',
      client_id: engine.id,
      redirect_uri: redirectUri,
      scope: 'identify email',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString()
    const back = oauth.validateAuthResponse(server, client, await agree(authorization), state)
    const issued = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(server, client, proof, back, redirectUri, verifier, insecure),
    )
    expect(issued).toMatchObject({ token_type: 'bearer', expires_in: 604_800, scope: 'identify email' })
    const user = await oauth.userInfoRequest(server, client, issued.access_token, insecure)
    expect(await oauth.processUserInfoResponse(server, client, ada.id, user)).toMatchObject({ email: ada.email })
    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, proof, issued.refresh_token ?? '', insecure),
    )
    const introspect = async () =>
      oauth.processIntrospectionResponse(
        server,
        client,
        await oauth.introspectionRequest(server, client, introspectionProof, refreshed.access_token, insecure),
      )
    const introspectionProof = authenticationBy(engine.clientSecret)
    expect(await introspect()).toMatchObject({ active: true, sub: ada.id, client_id: engine.id })
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, proof, refreshed.access_token, insecure),
    )
    expect(await introspect()).toStrictEqual({ active: false })
  })
})
