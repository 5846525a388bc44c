import { afterAll, describe, expect, it } from 'vitest'
import { sessionTokenHash } from '../../application/identity/tokens/session-token.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import type { SudoProof } from '../../application/ports/sudo-proofs.ts'
import { sudoProof_s } from '../../adapters/authentication/jwt-sudo-proofs.ts'
import { giftCodeOperations } from '../../adapters/http/operations/administration/gift-codes.ts'
import { premiumOperations } from '../../adapters/http/operations/identity/premium.ts'
import { purchaseOperations } from '../../adapters/http/operations/identity/purchases.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { bodyOf, expectRefusal, listOf } from '../operations/support/answers.ts'
import { asBot } from '../operations/support/applications.ts'
import { asBearer, newClient, tokensFor } from '../operations/support/oauth2.ts'
import { openServer } from '../operations/support/scene.ts'
import { adminKeyOf, administrator } from '../support/administrators.ts'
import { protect, sudoHeader, sudoProofOf, type ProtectedAccount } from '../support/authenticator.ts'
import { startStoreA } from '../support/store-a/double.ts'
import { startStoreB } from '../support/store-b/double.ts'
import { runningClock } from '../support/stores/test-clock.ts'
import { testContext } from '../support/test-context.ts'
import type { RequestOptions, TestAccount } from '../support/test-guildhall.ts'

/** Purchases that belong to another account, on the routes of purchases, premium and gifts. */

const purchasesPath = '/v1/premium/store/purchases'
const clock = runningClock()
const [storeA, storeB] = await Promise.all([startStoreA({ clock }), startStoreB({ clock })])
const guildhall = await openServer({ hosted: true, stores: { storeA, storeB } })
afterAll(() => Promise.all([storeA.close(), storeB.close()]))

const [ada, brian, carol, root] = await Promise.all([
  guildhall.register().then((account) => protect(guildhall, account)),
  guildhall.register().then((account) => protect(guildhall, account)),
  guildhall.register(),
  administrator(guildhall, '*'),
])
const engine = await newClient(guildhall, brian)
const send = async (method: string, path: string, options: RequestOptions = {}) => {
  const { status, body } = await guildhall.request(method, path, options)
  const { code } = Object(body) as { readonly code?: unknown }
  return `${status} ${String(code)}`
}
const claim = (token: string, signed_transaction: string) =>
  send('POST', '/v1/premium/store/store-a/transactions', { token, body: { signed_transaction } })
const release = (token: string, id: string, body: object = {}, proof?: string) =>
  guildhall.request('DELETE', `${purchasesPath}/${id}`, {
    token,
    body,
    ...(proof && { headers: { [sudoHeader]: proof } }),
  })

/** A subscription that an account has claimed, and what its app was given. */
async function subscribe({ token }: TestAccount) {
  const sale = storeA.sell({ productId: 'premium.monthly' })
  const signed = await storeA.signedTransaction(sale)
  expect(await claim(token, signed)).toBe('200 undefined')
  const [purchase] = listOf(await guildhall.request('GET', purchasesPath, { token }))
  return { id: String(purchase?.['id']), sale, signed }
}
const { id, sale, signed } = await subscribe(ada)
const gift = storeB.sell({ productId: 'gift_month' })
const claimGift = (token: string) =>
  guildhall.request('POST', '/v1/premium/store/google-play/purchases', {
    token,
    body: { purchase_token: gift.token, product_id: gift.productId },
  })
const code = String(bodyOf(await claimGift(ada.token))['gift_code'])

/** Earns a proof of sudo mode, with a backup code. */
async function proofOf({ token, backupCodes }: ProtectedAccount, index: number): Promise<string> {
  const body = { regenerate: false, mfa_method: 'totp', mfa_code: backupCodes[index] }
  return String(sudoProofOf(await guildhall.request('POST', '/v1/users/@me/mfa/backup-codes', { token, body })))
}

/** How many events follow from what an account asked for. Readings that are due write too. */
async function writtenBy({ id: own }: TestAccount): Promise<number> {
  let count = 0
  for await (const page of guildhall.store.events.readAll(beforeAll))
    count += page.filter(({ metadata: { actor } }) => actor.kind === 'account' && actor.id === own).length
  return count
}

/** Expects that the subscription still is Ada's, and that nothing is Brian's. */
async function expectUnchanged(): Promise<void> {
  const mine = listOf(await guildhall.request('GET', purchasesPath, { token: ada.token }))
  expect(mine).toMatchObject([
    { provider: 'store_b', state: 'fulfilled', gift_code: code },
    { id, state: 'active', entitled: true },
  ])
  expect(listOf(await guildhall.request('GET', purchasesPath, { token: brian.token }))).toStrictEqual([])
  expect(bodyOf(await guildhall.request('GET', '/v1/users/@me', { token: brian.token }))['premium_type']).toBe(0)
}

describe('an account on the purchases of another, or on those that it has released', () => {
  it('sees, claims and releases none of them, and nothing is written', async () => {
    const proof = await proofOf(brian, 0)
    const before = await writtenBy(brian)
    expect(await claim(brian.token, signed)).toBe('403 STORE_PURCHASE_OWNED_BY_OTHER_ACCOUNT')
    expectRefusal(await claimGift(brian.token), 403, 'STORE_PURCHASE_OWNED_BY_OTHER_ACCOUNT')
    expectRefusal(await release(brian.token, id, {}, proof), 404, 'UNKNOWN_STORE_PURCHASE')
    expectRefusal(await release(brian.token, '1', {}, proof), 404, 'UNKNOWN_STORE_PURCHASE')
    expect(listOf(await guildhall.request('GET', '/v1/users/@me/gifts', { token: brian.token }))).toStrictEqual([])
    expect(await writtenBy(brian)).toBe(before)
    await expectUnchanged()
  })

  it('has no more than that of a purchase of its own that it has released', async () => {
    const own = await subscribe(carol)
    const { password, token } = carol
    expect((await release(token, own.id, { password })).status).toBe(204)
    const before = await writtenBy(carol)
    expect(before).toBeGreaterThan(0)
    expectRefusal(await release(token, own.id, { password }), 404, 'UNKNOWN_STORE_PURCHASE')
    expect(listOf(await guildhall.request('GET', purchasesPath, { token }))).toStrictEqual([])
    expect(await writtenBy(carol)).toBe(before)
  })

  it('asks an administrator’s routes in vain', async () => {
    const path = `/v1/admin/users/${ada.id}/store-purchases`
    for (const { token } of [ada, brian]) {
      expect(await send('GET', path, { token })).toBe('403 MISSING_PERMISSIONS')
      expect(await send('POST', `${path}/refresh`, { token })).toBe('403 MISSING_PERMISSIONS')
    }
  })
})

const routes = [...purchaseOperations, ...premiumOperations].filter(({ callers }) => callers.kind === 'account')
const called = (path: string) => path.replace(':purchase_id', id).replace(':code', code)

describe('a credential on the wrong class of the routes of premium', () => {
  const bearer = async () => asBearer(await tokensFor(guildhall, ada, engine, 'identify email guilds'))

  it.each([
    ['a bot', async () => asBot(engine), '403 ACCESS_DENIED'],
    ['an application that acts for the owner', bearer, '403 ACCESS_DENIED'],
    ['an Admin key of the owner of everything', () => adminKeyOf(guildhall, root, '*'), '401 UNAUTHORIZED'],
    ['nobody', async () => '', '401 UNAUTHORIZED'],
  ])('is refused on all of them: %s', async (_, credential, refusal) => {
    expect(routes).toHaveLength(10)
    const token = await credential()
    for (const { name, method, path } of routes)
      expect([name, await send(method, called(path), { token })]).toStrictEqual([name, refusal])
    await expectUnchanged()
  })

  it('makes no codes', async () => {
    const [operation] = giftCodeOperations
    const body = { count: 1, duration_type: 'months', duration_quantity: 1 }
    const make = (token: string) => send('POST', String(operation?.path), { token, body })
    expect(await make(ada.token)).toBe('403 MISSING_PERMISSIONS')
    expect(await make(await bearer())).toBe('403 ACCESS_DENIED')
    expect(await make(asBot(engine))).toBe('401 UNAUTHORIZED')
    expect(await make(root.token)).toBe('200 undefined')
  })

  it('is not asked for by the webhooks, and not accepted', async () => {
    const { token } = root
    for (const store of ['store-a', 'store-b'])
      expect(await send('POST', `/webhooks/${store}`, { token, body: {} })).toBe('401 STORE_NOTIFICATION_UNAUTHORIZED')
  })
})

describe('what one side signs or gives in place of another', () => {
  it('is no session: a proof, the token for a store, a purchase, a code, a text that a store signed', async () => {
    const { app_account_token } = bodyOf(await guildhall.request('GET', '/v1/premium/store', { token: ada.token }))
    const push = await storeB.push.authorization()
    const proof = await proofOf(ada, 0)
    for (const secret of [proof, String(app_account_token), gift.token, code, signed, push.slice('Bearer '.length)])
      for (const token of [secret, `Bearer ${secret}`, `Bot ${secret}`])
        expect(await send('GET', purchasesPath, { token })).toBe('401 UNAUTHORIZED')
  })

  it('is no proof for a release', async () => {
    const push = await storeB.push.authorization()
    for (const proof of [ada.token, sessionTokenHash(ada.token), push.slice('Bearer '.length), code])
      expectRefusal(await release(ada.token, id, {}, proof), 403, 'SUDO_MODE_REQUIRED')
    await expectUnchanged()
  })

  it('is no notification: a transaction, a session, a proof, another store’s token', async () => {
    const body = { message: { data: 'e30', messageId: '1' } }
    const own = await proofOf(ada, 1)
    for (const signedPayload of [signed, await storeA.signedRenewal(sale), own, ada.token])
      expect(await send('POST', '/webhooks/store-a', { body: { signedPayload } })).toBe(
        '401 STORE_NOTIFICATION_UNAUTHORIZED',
      )
    for (const token of [ada.token, own, signed])
      expect(await send('POST', '/webhooks/store-b', { token: `Bearer ${token}`, body })).toBe(
        '401 STORE_NOTIFICATION_UNAUTHORIZED',
      )
  })

  it('is no transaction: a notification, a renewal, a proof, a push', async () => {
    const unheard = storeA.sell({ productId: 'premium.monthly' })
    const push = (await storeB.push.authorization()).slice('Bearer '.length)
    const wrong = [
      await storeA.notify('DID_RENEW', unheard),
      await storeA.signedRenewal(unheard),
      await proofOf(ada, 2),
      push,
    ]
    for (const text of wrong) expect(await claim(ada.token, text)).toBe('400 STORE_PURCHASE_INVALID')
    expect(storeA.seen.filter(({ path }) => path.includes(unheard.originalTransactionId))).toEqual([])
  })
})

/** What a proof of an account states now. */
async function factsOf(account: TestAccount, token = account.token): Promise<SudoProof> {
  const { state } = await guildhall.ports.aggregates.account.load(accountId(snowflake(account.id)))
  if (state.status !== 'registered') throw new Error('Nobody is registered')
  return { accountId: state.id, tokenHash: sessionTokenHash(token), credentialVersion: state.credentialVersion }
}
const issued = (facts: SudoProof, age_s: number) =>
  guildhall.ports.sudoProofs.issue(facts, timestamp(Date.now() - age_s * 1000))

/** Signs in once more. */
async function signInAgain({ email, password, backupCodes }: ProtectedAccount, index: number): Promise<string> {
  const { ticket } = bodyOf(await guildhall.request('POST', '/v1/auth/login', { body: { email, password } }))
  const body = { ticket, code: backupCodes[index] }
  return String(bodyOf(await guildhall.request('POST', '/v1/auth/login/mfa/totp', { body }))['token'])
}

describe('proofs that release nothing', () => {
  it('belong to another account, are too old, or name another account', async () => {
    const facts = await factsOf(ada)
    const proofs = [
      await proofOf(brian, 1),
      await issued(await factsOf(brian), 0),
      await issued(facts, sudoProof_s + 1),
      await issued({ ...facts, accountId: accountId(snowflake(brian.id)) }, 0),
      await issued({ ...facts, credentialVersion: facts.credentialVersion + 1 }, 0),
    ]
    for (const proof of proofs) expectRefusal(await release(ada.token, id, {}, proof), 403, 'SUDO_MODE_REQUIRED')
    await expectUnchanged()
  })

  it('were made in a session that is logged out', async () => {
    const second = await signInAgain(ada, 3)
    const proof = await issued(await factsOf(ada, second), 0)
    expect((await guildhall.request('POST', '/v1/auth/logout', { token: second })).status).toBe(204)
    expectRefusal(await release(ada.token, id, {}, proof), 403, 'SUDO_MODE_REQUIRED')
    await expectUnchanged()
  })

  it('were made before the password changed; one that is valid releases', async () => {
    const proof = await proofOf(ada, 4)
    const except = sessionTokenHash(ada.token)
    const change = { type: 'ChangePassword', passwordHash: 'another', except, now: timestamp(Date.now()) } as const
    await guildhall.ports.aggregates.account.execute(accountId(snowflake(ada.id)), change, testContext())
    expectRefusal(await release(ada.token, id, {}, proof), 403, 'SUDO_MODE_REQUIRED')
    await expectUnchanged()
    expect((await release(ada.token, id, {}, await proofOf(ada, 5))).status).toBe(204)
  })
})
