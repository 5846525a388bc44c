import { describe, expect, it } from 'vitest'
import { softwareAuthenticator } from '../../../support/software-authenticator.ts'
import { expectRefusal } from '../../support/answers.ts'
import { creationOptions, enrol, register, requestOptions, sudoFields } from '../../support/passkeys.ts'
import { openServer } from '../../support/scene.ts'

/** Clients at the host of the server, at other ports. */
const client = 'https://127.0.0.1:5173'
const webapp = 'https://127.0.0.1:8443'
/** May use the API in a browser, but its pages cannot ask for passkeys of the server's host. */
const elsewhere = 'https://pages.example.org'

const named = await openServer({ corsOrigins: [client, elsewhere], webappUrl: `${webapp}/client` })
const toAll = await openServer({ corsOrigins: ['*'], webappUrl: webapp })

describe('a passkey', () => {
  it.each([client, webapp])('is made, signs in and proves sudo mode on pages of a client: %s', async (origin) => {
    const ada = await named.register()
    const authenticator = await enrol(named, ada, softwareAuthenticator({ origin }))
    const options = await requestOptions(named, '/v1/auth/webauthn/authentication-options')
    const response = authenticator.get(options)
    const body = { response, challenge: options.challenge }
    expect((await named.request('POST', '/v1/auth/webauthn/authenticate', { body })).status).toBe(200)
    const sudo = await sudoFields(named, ada, authenticator)
    const proved = await named.request('POST', '/v1/guilds/1/delete', { token: ada.token, body: sudo })
    expect(proved.status).toBe(404)
    const atServer = await sudoFields(named, ada, authenticator, { origin: named.url })
    expect((await named.request('POST', '/v1/guilds/1/delete', { token: ada.token, body: atServer })).status).toBe(404)
  })

  it.each([
    ['of a client elsewhere', named, elsewhere],
    ['of no client', named, 'https://127.0.0.1:9999'],
    ['that only * names', toAll, client],
  ])('is not made on pages %s', async (_, server, origin) => {
    const ada = await server.register()
    const options = await creationOptions(server, ada)
    const made = await register(server, ada, options, softwareAuthenticator({ origin }).create(options))
    expectRefusal(made, 400, 'INVALID_WEBAUTHN_CREDENTIAL')
  })

  it('is made on pages of the client that people are sent to where * names all', async () => {
    const ada = await toAll.register()
    await enrol(toAll, ada, softwareAuthenticator({ origin: webapp }))
  })
})
