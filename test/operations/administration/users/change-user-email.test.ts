import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { markBounced } from '../../../../application/identity/mail/mark-bounced.ts'
import { finishUnfinished } from '../../../../application/processes/finish-unfinished.ts'
import { waiting_max } from '../../../../domain/email-address/email-address.ts'
import { accountId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import { administrator } from '../../../support/administrators.ts'
import { testContext } from '../../../support/test-context.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { deletionIsDue, erase } from '../../support/erasure.ts'
import { changeEmailAddress, tokenIn } from '../../support/recovery.ts'
import { openServer } from '../../support/scene.ts'
import { bounce, correctionsOn, entriesAbout, idOf, unknownUser } from './support.ts'

const guildhall = await openServer('mailing')
const { root, ask, lastEntry, entryCount } = await correctionsOn(guildhall)
const byUsername = await openServer('usernames')
const elsewhere = await correctionsOn(byUsername)
const { connect, end } = connections()
afterAll(end)

let ada: TestAccount
let grace: TestAccount
beforeEach(async () => {
  ;[ada, grace] = [await guildhall.register(), await guildhall.register()]
})

const give = ({ id }: Pick<TestAccount, 'id'>, email: unknown, token?: string) =>
  ask('PATCH', id, 'email', { email }, token)
const post = (path: string, body: unknown) => guildhall.request('POST', `/v1/auth/${path}`, { body })
const me = async ({ token }: TestAccount) => bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))
/** The accounts whose passwords sign in with an address. */
async function signsIn(email: string, ...accounts: readonly TestAccount[]): Promise<readonly string[]> {
  const answers = await Promise.all(accounts.map(({ password }) => post('login', { email, password })))
  return accounts.flatMap(({ id }, index) => (answers[index]?.status === 200 ? [id] : []))
}
const claimOf = async (email: string) => {
  const { state } = await guildhall.ports.aggregates.emailAddress.load(guildhall.ports.addressHash(email))
  return state
}

describe('Change user email', () => {
  it('refuses, in this order: what is no address, an instance without addresses, an unknown account', async () => {
    const before = await entryCount()
    expectFields(
      await ask('PATCH', 'x', 'email', { email: 'a@example.org' }),
      field('user_id', 'INVALID_SNOWFLAKE_FORMAT'),
    )
    expectFields(
      await elsewhere.ask('PATCH', unknownUser, 'email', { email: 'none' }),
      field('email', 'INVALID_EMAIL_FORMAT'),
    )
    const refused = await elsewhere.ask('PATCH', unknownUser, 'email', { email: 'a@example.org' })
    expectRefusal(refused, 400, 'EMAIL_UNAVAILABLE_ON_INSTANCE')
    expectRefusal(await give({ id: unknownUser }, 'a@example.org'), 404, 'UNKNOWN_USER')
    for (const [email, code] of [
      ['', 'EMAIL_LENGTH_INVALID'],
      [`${'a'.repeat(250)}@example.org`, 'EMAIL_LENGTH_INVALID'],
      ['ada', 'INVALID_EMAIL_FORMAT'],
      ['ada lovelace@example.org', 'INVALID_EMAIL_LOCAL_PART'],
    ] as const)
      expectFields(await give(ada, email), field('email', code))
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:view:email')
    expectRefusal(await give(ada, 'a@example.org', lesser.token), 403, 'MISSING_ACL')
    expect(await entryCount()).toBe(before)
    expect(await me(ada)).toMatchObject({ email: ada.email })
  })
  it('stores the address in lower case and unverified, tells the account, and mails nobody', async () => {
    await guildhall.mailTo(ada.email, 1)
    expect((await ask('PUT', ada.id, 'email-verification')).status).toBe(200)
    const { client } = await connect(guildhall, ada)
    const email = `New.${ada.email}`
    const { user } = bodyOf(await give(ada, ` ${email.toUpperCase()} `))
    expect(user).toMatchObject({ id: ada.id, email: email.toLowerCase(), email_verified: false, email_bounced: false })
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ email: email.toLowerCase(), verified: false })
    // What was to be sent to either address has arrived once the next mail has.
    for (const id of [ada.id, (await givenTo(ada.email)).id])
      expect((await ask('POST', id, 'password-reset')).status).toBe(204)
    expect((await guildhall.mailTo(email.toLowerCase(), 1)).subject).toContain('password')
    expect((await guildhall.mailTo(ada.email, 2)).subject).toContain('password')
  })
  it('keeps the bounce marker, also of the same address, which is unverified then', async () => {
    expect((await ask('PUT', ada.id, 'email-verification')).status).toBe(200)
    expect(bodyOf(await give(ada, ada.email))['user']).toMatchObject({ email: ada.email, email_verified: false })
    await bounce(guildhall, ada)
    expect(bodyOf(await give(ada, `b.${ada.email}`))['user']).toMatchObject({ email_bounced: true })
    expect(await signsIn(`b.${ada.email}`, ada)).toStrictEqual([ada.id])
    expect(await signsIn(ada.email, ada)).toStrictEqual([])
  })
  it('is recorded with both addresses, which are personal to the account, and null for none', async () => {
    expect((await give(ada, `c.${ada.email}`)).status).toBe(200)
    expect(await lastEntry()).toMatchObject({
      action: 'change_email',
      adminId: root.id,
      targetType: 'user',
      targetId: ada.id,
      metadata: {},
      personalMetadata: { old_email: ada.email, new_email: `c.${ada.email}` },
    })
    const id = String(bodyOf(await post('register', {}))['user_id'])
    expect((await give({ id }, `first.${ada.email}`)).status).toBe(200)
    expect(await lastEntry()).toMatchObject({ personalMetadata: { old_email: 'null' } })
    const [entry] = (await entriesAbout(guildhall, { id })).slice(-1)
    expect(entry).toMatchObject({ action: 'change_email' })
  })
  it('shows no address to who may not view it', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:update:email')
    const { user } = bodyOf(await give(ada, `d.${ada.email}`, lesser.token))
    expect(user).toMatchObject({ id: ada.id, email: null, email_verified: false, email_bounced: false })
  })
  it('accepts a bot, whose address is free again once its application is deleted', async () => {
    const { token, password } = ada
    const made = bodyOf(await guildhall.request('POST', '/v1/oauth2/applications', { token, body: { name: 'Engine' } }))
    const id = String(made['id'])
    expect((await give({ id }, `robot.${ada.email}`)).status).toBe(200)
    expect(await claimOf(`robot.${ada.email}`)).toMatchObject({ status: 'held', accountId: id })
    const path = `/v1/oauth2/applications/${id}`
    expect((await guildhall.request('DELETE', path, { token, body: { password } })).status).toBe(204)
    expect(await claimOf(`robot.${ada.email}`)).toMatchObject({ status: 'free' })
  })
  it('ends tokens that were mailed to the address before', async () => {
    const verify = tokenIn(await guildhall.mailTo(ada.email, 1))
    expect((await ask('POST', ada.id, 'password-reset')).status).toBe(204)
    const reset = tokenIn(await guildhall.mailTo(ada.email, 2))
    expect((await give(ada, `e.${ada.email}`)).status).toBe(200)
    expectFields(await post('verify', { token: verify }), field('token', 'INVALID_OR_EXPIRED_VERIFICATION_TOKEN'))
    const used = await post('reset', { token: reset, password: 'a new password' })
    expectFields(used, field('token', 'INVALID_OR_EXPIRED_RESET_TOKEN'))
  })
})

/** Another account that is given an address. */
async function givenTo(email: string): Promise<TestAccount> {
  const other = await guildhall.register()
  expect((await give(other, email)).status).toBe(200)
  return other
}

describe('an address that several accounts are given', () => {
  it('signs in the one that holds the claim, and the next one once that has another address', async () => {
    const shared = ada.email
    const linus = await guildhall.register()
    for (const each of [grace, linus]) expect(bodyOf(await give(each, shared))['user']).toMatchObject({ email: shared })
    expect(await signsIn(shared, { ...grace, password: 'no password' }, ada)).toStrictEqual([ada.id])
    expect(await signsIn(grace.email, grace)).toStrictEqual([])
    expect(await claimOf(shared)).toMatchObject({ accountId: ada.id, waiting: [grace.id, linus.id] })
    await changeEmailAddress(guildhall, ada, `moved.${shared}`)
    expect(await claimOf(shared)).toMatchObject({ accountId: grace.id, waiting: [linus.id] })
    await deletionIsDue(guildhall, grace)
    expect(await erase(guildhall, grace)).toBe(true)
    expect(await claimOf(shared)).toMatchObject({ accountId: linus.id, waiting: [] })
    expect(await signsIn(shared, linus)).toStrictEqual([linus.id])
  })
  it('is not kept by an account that got another one while it waited', async () => {
    expect((await give(grace, ada.email)).status).toBe(200)
    expect((await give(grace, `own.${grace.email}`)).status).toBe(200)
    expect(await claimOf(ada.email)).toMatchObject({ accountId: ada.id, waiting: [] })
    expect((await give(ada, `own.${ada.email}`)).status).toBe(200)
    expect(await claimOf(ada.email)).toMatchObject({ status: 'free' })
  })
  it('cannot be registered with, nor be taken by a holder, as long as one of them has it', async () => {
    expect((await give(grace, ada.email)).status).toBe(200)
    expect((await give(ada, `f.${ada.email}`)).status).toBe(200)
    const registering = await post('register', {
      email: ada.email,
      username: 'newcomer',
      password: 'correct horse battery',
      date_of_birth: '1990-01-01',
      consent: true,
    })
    expectFields(registering, field('email', 'EMAIL_ALREADY_IN_USE'))
    expect(await signsIn(ada.email, grace)).toStrictEqual([grace.id])
  })
  it('is verified for the account that a token was mailed for, and no other', async () => {
    expect((await give(grace, ada.email)).status).toBe(200)
    const mailed = await guildhall.mailTo(ada.email, 1)
    expect((await post('verify', { token: tokenIn(mailed) })).status).toBe(204)
    expect(await me(ada)).toMatchObject({ verified: true })
    expect(await me(grace)).toMatchObject({ email: ada.email, verified: false })
    expect((await ask('POST', grace.id, 'verification-email')).status).toBe(204)
    const token = tokenIn(await guildhall.mailTo(ada.email, 2))
    expect((await give(grace, `g.${grace.email}`)).status).toBe(200)
    expectFields(await post('verify', { token }), field('token', 'INVALID_OR_EXPIRED_VERIFICATION_TOKEN'))
  })
  it('is marked as bounced on each of them', async () => {
    expect((await give(grace, ada.email)).status).toBe(200)
    const now = timestamp(Date.now())
    await markBounced(guildhall.ports)(ada.email, undefined, now)
    for (const { id } of [ada, grace]) {
      const { state } = await guildhall.ports.aggregates.account.load(idOf({ id }))
      expect(state).toMatchObject({ email: ada.email, emailBounced: true })
    }
  })
  it('has one holder and the other waiting, where both are given it at once', async () => {
    const shared = `shared.${ada.email}`
    const answers = await Promise.all([give(ada, shared), give(grace, shared)])
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 200])
    const state = await claimOf(shared)
    expect(state).toMatchObject({ status: 'held', waiting: [expect.any(String)] })
    const holder = state.status === 'held' ? state.accountId : ''
    expect([holder, ...state.waiting].toSorted()).toStrictEqual([ada.id, grace.id].toSorted())
    const other = holder === ada.id ? grace : ada
    expect(await claimOf(other.email)).toMatchObject({ status: 'free' })
  })
  it('is passed on or waited for, however the changes of two accounts meet', async () => {
    for (let round = 0; round < 10; round += 1) {
      const shared = `round${round}.${ada.email}`
      expect((await give(ada, shared)).status).toBe(200)
      const answers = await Promise.all([give(ada, `left.${shared}`), give(grace, shared)])
      expect(answers.map(({ status }) => status)).toStrictEqual([200, 200])
      expect(await claimOf(shared)).toMatchObject({ accountId: grace.id, waiting: [] })
    }
  })
  it('is given without a place in the queue once 100 accounts wait for it, as the contract checks no uniqueness', async () => {
    const { aggregates, addressHash } = guildhall.ports
    const hash = addressHash(ada.email)
    for (let waiting = 0; waiting < waiting_max; waiting += 1) {
      const context = testContext()
      const claim = {
        addressHash: hash,
        accountId: accountId(snowflake(String(1000 + waiting))),
        orWaits: true,
      } as const
      await aggregates.emailAddress.execute(hash, { type: 'ClaimAddress', ...claim }, context)
    }
    expect((await give(grace, ada.email)).status).toBe(200)
    expect(await me(grace)).toMatchObject({ email: ada.email })
    expect((await claimOf(ada.email)).waiting).toHaveLength(waiting_max)
    expect(await signsIn(ada.email, ada)).toStrictEqual([ada.id])
    // The former address is nobody's, and the next change leaves no step behind.
    expect(await claimOf(grace.email)).toMatchObject({ status: 'free' })
    expect((await give(grace, `again.${grace.email}`)).status).toBe(200)
    expect(await unfinishedOf(grace)).toStrictEqual([])
  })
  it('is the address that the account has in the end, where one account is given many at once', async () => {
    const addresses = Array.from({ length: 6 }, (_, index) => `many${index}.${ada.email}`)
    const answers = await Promise.all([...addresses, ...addresses].map((email) => give(ada, email)))
    expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([200]))
    const { email } = await me(ada)
    for (const each of [ada.email, ...addresses])
      expect(await claimOf(each)).toMatchObject(each === email ? { accountId: ada.id } : { status: 'free' })
    expect(await unfinishedOf(ada)).toStrictEqual([])
  })
})

const later = () => timestamp(Date.now() + 60_000)

/** The keys of the address claims of an account that are not finished. */
async function unfinishedOf({ id }: TestAccount): Promise<readonly string[]> {
  const steps = await guildhall.ports.queries.unfinished.before(later(), 1000)
  const own = steps.filter(({ process, data }) => process === 'address_claim' && data['accountId'] === id)
  return own.map(({ key }) => key)
}

describe('a process that dies while it changes an address', () => {
  it('leaves a claim that is released, and a waiting that ends', async () => {
    const { aggregates, addressHash, readModels } = guildhall.ports
    const context = testContext()
    const hashes = [addressHash(`free.${ada.email}`), addressHash(ada.email)]
    for (const hash of hashes) {
      const claim = { addressHash: hash, accountId: idOf(grace), replaces: addressHash(grace.email) } as const
      await aggregates.emailAddress.execute(hash, { type: 'ClaimAddress', ...claim, orWaits: true }, context)
    }
    await readModels.reached(context.written)
    expect(await unfinishedOf(grace)).toHaveLength(2)
    expect(await finishUnfinished(guildhall.ports)(later(), later())).toMatchObject({ failures: [] })
    expect(await unfinishedOf(grace)).toStrictEqual([])
    expect(await claimOf(`free.${ada.email}`)).toMatchObject({ status: 'free' })
    expect(await claimOf(ada.email)).toMatchObject({ accountId: ada.id, waiting: [] })
    expect(await signsIn(grace.email, grace)).toStrictEqual([grace.id])
  })
})
