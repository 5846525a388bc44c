import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf, listOf } from '../operations/support/answers.ts'
import { auditEntries } from '../support/administrators.ts'
import { startStoreA, type StoreADouble } from '../support/store-a/double.ts'
import type { Sale, StoreAWorld } from '../support/store-a/sales.ts'
import { settingsFor } from '../support/stores/stores-over.ts'
import { runningClock } from '../support/stores/test-clock.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import { runHere } from './support/command-here.ts'
import { environmentOf, instance } from './support/instance.ts'

const personalDataKey = randomBytes(32)
const day_ms = 86_400_000
let database: TestDatabase
let storeA: StoreADouble
let server: TestGuildhall

beforeAll(async () => {
  storeA = await startStoreA({ clock: runningClock() })
  database = await laidDatabase()
  server = await startTestGuildhall({
    connection: database.connection,
    personalDataKey,
    hosted: true,
    stores: { storeA, sandbox: { everyone: true } },
  })
})
afterEach(() => {
  storeA.fault = undefined
})
afterAll(async () => {
  await server.close()
  await database.close()
  await storeA.close()
})

const run = (...words: readonly string[]) =>
  runHere(['store', ...words], { ...environmentOf(database.connection, personalDataKey), ...settingsFor({ storeA }) })

async function store(...words: readonly string[]): Promise<string> {
  const ended = await run(...words)
  expect(ended).toMatchObject({ code: 0 })
  return ended.output
}

const purchasesOf = async ({ token }: TestAccount) =>
  listOf(await server.request('GET', '/v1/premium/store/purchases', { token }))
const self = async ({ token }: TestAccount) => bodyOf(await server.request('GET', '/v1/users/@me', { token }))
const entriesOf = async (action: string) => (await auditEntries(server)).filter((entry) => entry.action === action)

async function claimed(productId: string, world: StoreAWorld = 'Production') {
  const account = await server.register()
  const sale = storeA.sell({ productId, world })
  const body = { signed_transaction: await storeA.signedTransaction(sale) }
  const path = '/v1/premium/store/store-a/transactions'
  const { purchase, gift_code } = bodyOf(await server.request('POST', path, { token: account.token, body }))
  return { account, sale, id: String((purchase as { readonly id: unknown }).id), code: String(gift_code) }
}

function refund(sale: Sale): void {
  sale.status = 5
  sale.transaction = { ...sale.transaction, revocationDate: storeA.clock.now() }
}

describe('guildhall store show', () => {
  it('prints what the store said and which seconds followed, until the refund takes them back', async () => {
    const { account, sale, id } = await claimed('premium.monthly')
    const expires = new Date(Number(sale.transaction['expiresDate'])).toISOString()
    const before = await store('show', id)
    expect(before).toMatch(`Purchase ${id}: store_a, monthly, premium.monthly of example.chat.app, production`)
    expect(before).toContain(`now active, of account ${account.id}; paid until ${expires}`)
    expect(before).toContain(`linked to account ${account.id}`)
    const [, from = ''] = /gets (\S+) to /.exec(before) ?? []
    expect(before).toContain(
      `account ${account.id} gets ${from} to ${expires}, ${(Date.parse(expires) - Date.parse(from)) / 1000} s`,
    )
    refund(sale)
    await server.request('POST', '/webhooks/store-a', { body: { signedPayload: await storeA.notify('REFUND', sale) } })
    await expect.poll(() => self(account)).toMatchObject({ premium_type: 0 })
    const after = await store('show', account.id)
    expect(after).toMatch(/the money went back, says the store/)
    const [, end = ''] = new RegExp(`account ${account.id} loses (\\S+) to ${expires}`).exec(after) ?? []
    const kept_s = (Date.parse(end) - Date.parse(from)) / 1000
    expect(after).toContain(`In sum account ${account.id} has ${kept_s} s of paid time and 0 s of gift time from it.`)
  })

  it('follows a gift code to the account that redeemed it', async () => {
    const [{ id, code }, brian] = [await claimed('gift.month'), await server.register()]
    expect((await server.request('POST', `/v1/gifts/${code}/redeem`, { token: brian.token })).status).toBe(204)
    const shown = await store('show', id)
    expect(shown).toContain('the gift code exists: 1 months')
    expect(shown).toMatch(new RegExp(`account ${brian.id} gets \\d+ s of gift time`))
    expect(shown).not.toContain(code)
  })

  it('shows fingerprints alone of what is secret', async () => {
    const { account, sale, id } = await claimed('premium.yearly')
    const token = String(storeA.accountTokens.get(sale.originalTransactionId))
    const shown = `${await store('show', id)}${await store('show', account.id)}`
    expect(shown).toMatch(/latestOrder [\da-f]{12}\b/)
    for (const secret of [sale.originalTransactionId, token]) expect(shown).not.toContain(secret)
  })

  it('says where there is nothing to show', async () => {
    const ada = await server.register()
    expect(await store('show', ada.id)).toBe(`Account ${ada.id} was never linked to a purchase.\n`)
    expect(await run('show', '1')).toMatchObject({ code: 1, said: 'There is no account and no purchase 1\n' })
    expect(await run('show', 'f'.repeat(64))).toMatchObject({ code: 1 })
  })
})

describe('guildhall store purchases', () => {
  it('prints what an account bought, in pages and without what is secret', async () => {
    const { account, sale, id } = await claimed('premium.monthly')
    const shown = await store('purchases', '--account', account.id)
    expect(shown).toMatch(
      new RegExp(`^${id}  \\S+  store_a  active  subscription premium\\.monthly, production, of account `),
    )
    expect(shown).not.toContain(sale.originalTransactionId)
    await claimed('gift.month')
    expect(await store('purchases', '--limit', '1')).toMatch(
      / fulfilled {2}gift gift\.month.*\nThere are more: --after \S+\n$/,
    )
    expect(await store('purchases', '--account', account.id, '--state', 'expired')).toBe('There are no purchases.\n')
    expect(await run('purchases', '--state', 'none')).toMatchObject({ code: 1, output: '' })
  })
})

describe('guildhall store replay', () => {
  it('has a notification applied that waits for its next try', async () => {
    const { account, sale } = await claimed('premium.monthly')
    storeA.fault = 500
    refund(sale)
    const signedPayload = await storeA.notify('REFUND', sale)
    await server.request('POST', '/webhooks/store-a', { body: { signedPayload } })
    const id = uuidIn(signedPayload)
    await expect
      .poll(async () =>
        JSON.stringify((await database.database.pool.query('select payload from job_queue._private_jobs')).rows),
      )
      .toContain(`"id":"store_a ${id}","failures":1`)
    storeA.fault = undefined
    expect(await store('replay', id)).toBe(`What notification ${id} told of was read again.\n`)
    await expect.poll(() => self(account)).toMatchObject({ premium_type: 0 })
    const [entry] = (await entriesOf('replay_store_notification')).slice(-1)
    expect(entry).toMatchObject({ adminId: '0', targetId: id, metadata: { operator: expect.any(String) } })
  })

  it('reads again what an applied notification told of, and refuses an unknown one', async () => {
    const { account, sale } = await claimed('premium.monthly')
    sale.renewal = { autoRenewStatus: 0 }
    const signedPayload = await storeA.notify('DID_CHANGE_RENEWAL_STATUS', sale)
    await server.request('POST', '/webhooks/store-a', { body: { signedPayload } })
    await expect.poll(() => purchasesOf(account)).toMatchObject([{ state: 'canceled' }])
    sale.renewal = { autoRenewStatus: 1 }
    expect(await store('replay', uuidIn(signedPayload))).toContain('was read again')
    await expect.poll(() => purchasesOf(account)).toMatchObject([{ state: 'active' }])
    expect(await run('replay', 'unheard-of')).toMatchObject({
      code: 1,
      said: 'Notification unheard-of is not in the queue, and nothing in history follows from it\n',
    })
  })
})

/** The id that the store gave a notification. */
function uuidIn(signedPayload: string): string {
  const payload: unknown = JSON.parse(Buffer.from(String(signedPayload.split('.')[1]), 'base64url').toString())
  return String((payload as Readonly<Record<string, unknown>>)['notificationUUID'])
}

describe('guildhall store reconcile', () => {
  it('prints what differs without a change, then has it brought up to date', async () => {
    const [{ account, sale, id }, other] = [await claimed('premium.monthly'), await claimed('premium.yearly')]
    sale.transaction = { ...sale.transaction, expiresDate: storeA.clock.now() + 60 * day_ms }
    const expires = new Date(Number(sale.transaction['expiresDate'])).toISOString()
    const events = async () => (await server.store.stored.end()).toString()
    const [before, asked] = [await events(), storeA.seen.length]
    const dry = await store('reconcile', '--dry-run')
    expect(dry).toContain(`Purchase ${id} would change:`)
    expect(dry).toContain(`expiresAt="${expires}"`)
    expect(dry).toContain(`account-${account.id}: PremiumPaid of account ${account.id}: paid until ${expires}`)
    expect(dry).not.toContain(`Purchase ${other.id}`)
    expect(dry).not.toContain(sale.originalTransactionId)
    expect(await events()).toBe(before)
    expect(storeA.seen.slice(asked).map(({ method }) => method)).not.toContain('PUT')
    expect(await store('reconcile')).toContain(`Purchase ${id} was brought up to date.`)
    expect(await purchasesOf(account)).toMatchObject([{ expires_at: expires }])
    expect(await store('reconcile', '--dry-run')).toContain(', 0 that differ, 0 without an answer')
    const [entry] = (await entriesOf('reconcile_stores')).slice(-1)
    expect(entry).toMatchObject({ adminId: '0', credential: 'command_line', metadata: { purchase_count: '1' } })
  })

  it('counts purchases of the sandbox as the server does, whatever STORE_SANDBOX the command has', async () => {
    const { account, sale } = await claimed('premium.monthly', 'Sandbox')
    sale.transaction = { ...sale.transaction, expiresDate: storeA.clock.now() + 60 * day_ms }
    const expires = new Date(Number(sale.transaction['expiresDate'])).toISOString()
    expect(await store('reconcile', '--dry-run')).toContain(
      `account-${account.id}: PremiumPaid of account ${account.id}: paid until ${expires}`,
    )
  })

  it('says which purchases a store gives no answer for, and leaves them', async () => {
    const { account, id } = await claimed('premium.monthly')
    storeA.fault = 500
    expect(await store('reconcile')).toContain(`Purchase ${id}: its store gives no answer`)
    expect(await purchasesOf(account)).toMatchObject([{ state: 'active' }])
  })

  it('is refused where no store is set up', async () => {
    const site = await instance()
    try {
      expect(await site.guildhall(['store', 'reconcile', '--dry-run'])).toMatchObject({
        code: 1,
        said: 'No store is set up: STORE_A or STORE_B, and HOSTED=true\n',
      })
    } finally {
      await site.close()
    }
  })
})
