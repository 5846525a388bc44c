import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { describe, expect, it } from 'vitest'
import { smtpServerTest } from '../../../adapters/mail/test-mail-server.ts'
import { startMailServer } from '../../support/mail-server.ts'

const account = { host: '127.0.0.1', username: 'ada', password: 'CANARY' }

/** Tests the server at this port, which the settings name. */
const testOwn = (port: number, secure: boolean, trustsAnyCertificate = true) =>
  smtpServerTest({ own: `smtp://127.0.0.1:${port}`, trustsAnyCertificate })({ ...account, port, secure })

describe('the test of a mail server', () => {
  it('says what is wrong where nobody listens', async () => {
    const listener = createServer().listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    listener.close()
    await once(listener, 'close')
    expect(await testOwn(port, true)).toBe('no connection to the server')
  })

  it('sends no password where the connection is not encrypted', async () => {
    const server = await startMailServer()
    expect(await testOwn(Number(new URL(server.url).port), false)).toBe('the server offers no encryption')
    await server.close()
  })

  it('signs in over TLS', async () => {
    const server = await startSecureServer('CANARY')
    expect(await testOwn(server.port, true)).toBeUndefined()
    await server.close()
  })

  it('believes no certificate that nobody has signed', async () => {
    const server = await startSecureServer('CANARY')
    expect(await testOwn(server.port, true, false)).toBe('the certificate of the server is not trusted')
    expect(server.passwords).toEqual([])
    await server.close()
  })

  it('repeats nothing that the server says', async () => {
    const server = await startSecureServer('another')
    expect(await testOwn(server.port, true)).toBe('the server refused the username or the password')
    expect(server.passwords).toEqual(['CANARY'])
    await server.close()
  })

  it('repeats nothing that a service of another kind says', async () => {
    const { port, close } = await startService('SSH-2.0-inner secret\r\n')
    expect(await testOwn(port, false)).toMatch(/^the server (?:does not speak SMTP|did not answer)/)
    await close()
  })

  it.each([
    '127.0.0.1',
    'localhost',
    '[::1]',
    '::ffff:127.0.0.1',
    '0x7f.1',
    '10.0.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '198.18.0.1',
    '[::127.0.0.1]',
    '[64:ff9b::10.0.0.1]',
    '[2002:7f00:1::1]',
    '[fec0::1]',
  ])('asks no private address: %s', async (host) => {
    const { port, connections, close } = await startService('220 inner\r\n')
    for (const own of [undefined, 'smtp://mail.example.com', `smtp://127.0.0.1:${port === 25 ? 26 : 25}`])
      expect(await smtpServerTest({ own })({ ...account, host, port, secure: false })).toMatch(
        /^the server has no public address/,
      )
    expect(connections()).toBe(0)
    await close()
  })
})

/** A service that greets everybody with a text, and counts them. */
async function startService(greeting: string) {
  let count = 0
  const service = createServer((socket) => {
    count += 1
    socket.on('error', () => undefined)
    socket.end(greeting)
  }).listen(0)
  await once(service, 'listening')
  const { port } = service.address() as AddressInfo
  return { port, connections: () => count, close: () => new Promise<unknown>((resolve) => service.close(resolve)) }
}

/** A mail server that accepts only TLS and one password, and echoes every other one. */
async function startSecureServer(password: string) {
  const passwords: (string | null)[] = []
  const server = new SMTPServer({
    secure: true,
    authMethods: ['PLAIN'],
    onAuth: (given, _session, answer) => {
      passwords.push(given.password ?? null)
      if (given.password === password) return answer(null, { user: given.username })
      answer(new Error(`wrong: ${given.password}`))
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return { port, passwords, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}
