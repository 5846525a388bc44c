import Fastify from 'fastify'
import { compactVerify, importPKCS8, importX509, SignJWT } from 'jose'
import { z } from 'zod'
import { answerParent } from '../support/child.ts'
import { openPool } from '../support/pool.ts'

/**
 * The minimum work of a server that store A's purchases are claimed at: plain Fastify, `jose`, one request to the store, and for a
 * notification one named insert. The certificates are not checked, nothing is parsed, and nobody is authenticated.
 */
const setting = z.object({
  connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
  connections_max: z.int(),
  store: z.object({
    apiUrl: z.string(),
    issuerId: z.string(),
    keyId: z.string(),
    privateKey: z.string(),
    bundleId: z.string(),
  }),
})

const header = z.object({ x5c: z.array(z.string()) })
const transaction = z.object({ originalTransactionId: z.string() })
const insertText = 'insert into bench.notifications (body) values ($1)'
const token_s = 3600

answerParent(async (asked) => {
  const { connection, connections_max, store } = setting.parse(asked)
  const pool = openPool(connection, connections_max)
  await pool.query('create schema if not exists bench')
  await pool.query('create table if not exists bench.notifications (id int8 generated always as identity, body text)')
  const authorization = `Bearer ${await tokenFor(store)}`
  const server = Fastify()

  server.post<{ readonly Body: { readonly signed_transaction: string } }>('/claims', async ({ body }) => {
    const { originalTransactionId } = transaction.parse(await verified(body.signed_transaction))
    const url = `${store.apiUrl}/inApps/v1/subscriptions/${originalTransactionId}`
    return (await fetch(url, { headers: { authorization } })).json()
  })
  server.post<{ readonly Body: { readonly signedPayload: string } }>('/notifications', async ({ body }) => {
    const payload = await verified(body.signedPayload)
    await pool.query({ name: 'notification', text: insertText, values: [JSON.stringify(payload)] })
    return {}
  })

  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { port: Number(new URL(url).port) }
})

const keys = new Map<string, Awaited<ReturnType<typeof importX509>>>()

/** The payload of a signed text. Each leaf's key is read once. */
async function verified(signed: string): Promise<unknown> {
  const { payload } = await compactVerify(signed, async (protectedHeader) => {
    const [leaf = ''] = header.parse(protectedHeader).x5c
    const key = keys.get(leaf) ?? (await importX509(pemOf(leaf), 'ES256'))
    keys.set(leaf, key)
    return key
  })
  return JSON.parse(new TextDecoder().decode(payload))
}

function pemOf(leaf: string): string {
  return `-----BEGIN CERTIFICATE-----\n${leaf.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----`
}

async function tokenFor({ issuerId, keyId, privateKey, bundleId }: z.output<typeof setting>['store']): Promise<string> {
  const now_s = Math.floor(Date.now() / 1000)
  return new SignJWT({ bid: bundleId })
    .setProtectedHeader({ alg: 'ES256', kid: keyId, typ: 'JWT' })
    .setIssuer(issuerId)
    .setIssuedAt(now_s)
    .setExpirationTime(now_s + token_s)
    .setAudience('appstoreconnect-v1')
    .sign(await importPKCS8(privateKey, 'ES256'))
}
