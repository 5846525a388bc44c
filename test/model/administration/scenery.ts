import { randomBytes } from 'node:crypto'
import { found, bodyOf, invite, accept } from '../../operations/support/answers.ts'
import { addBot, newApplication } from '../../operations/support/applications.ts'
import { openDirect } from '../../operations/conversations/private-channels/support.ts'
import { authenticatorAt, enrol, sudoFields } from '../../operations/support/passkeys.ts'
import { befriend, relationsOn } from '../../operations/support/relationships.ts'
import { protect } from '../../support/authenticator.ts'
import { countAsStarted } from '../../support/started-session.ts'
import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.ts'
import { restOf, type Body, type ModelAccount } from './account.ts'
import type { AdminWorld } from './world.ts'

/**
 * The accounts of one run. Carol's guild has them all. Ada has two factors, a profile, a bot, a friend (Carol), and asks Brian,
 * who blocks Carol.
 */
export interface Scenery {
  readonly world: AdminWorld
  readonly ada: ModelAccount
  readonly brian: ModelAccount
  readonly carol: ModelAccount
  readonly engine: ModelAccount
}

export async function sceneryOn(
  guildhall: TestGuildhall,
  custodian: Pick<TestAccount, 'token'>,
  { gone, signIn }: Pick<AdminWorld, 'gone' | 'signIn'>,
): Promise<Scenery> {
  const [ada, brian, carol] = await Promise.all([
    guildhall.register(),
    signIn === 'email' ? registerInGerman(guildhall) : guildhall.register(),
    guildhall.register(),
  ])
  const home = await found(guildhall, carol)
  // No join messages: they would count as the members' own, and come at any time.
  const silent = { token: carol.token, body: { system_channel_id: null } }
  bodyOf(await guildhall.request('PATCH', `/v1/guilds/${home.id}`, silent))
  const code = await invite(guildhall, carol, home.channel)
  for (const each of [ada, brian]) bodyOf(await accept(guildhall, each, code))
  const profile = { bio: 'Notes', pronouns: 'she/her', global_name: 'Ada Lovelace' }
  bodyOf(await guildhall.request('PATCH', '/v1/users/@me', { token: ada.token, body: profile }))
  await befriend(guildhall, carol, ada)
  const direct = await openDirect(guildhall, ada, carol)
  const relations = relationsOn(guildhall)
  bodyOf(await relations.ask(ada, brian))
  bodyOf(await relations.block(brian, carol))
  const credential = await giveFactors(guildhall, ada)
  const name = `Engine_${ada.id}`
  const bot = await newApplication(guildhall, ada, { name })
  await addBot(guildhall, bot, home)

  const objects = await looks(guildhall, custodian, [ada.id, brian.id, carol.id, bot.id])
  const model = (account: { readonly id: string; readonly token?: string; readonly password?: string }) =>
    modelOf(account, objects.get(account.id) ?? {})
  const [theAda, theBrian, theCarol] = [model(ada), model(brian), model(carol)]
  Object.assign(theAda, { hasTotp: true, choosesPasskeys: true, globalName: 'Ada Lovelace', bio: 'Notes' })
  theAda.pronouns = 'she/her'
  theAda.passkeys.push(credential)
  theAda.relationships.set(carol.id, 'friend').set(brian.id, 'outgoing_request')
  theBrian.relationships.set(ada.id, 'incoming_request').set(carol.id, 'blocked')
  theCarol.relationships.set(ada.id, 'friend')
  theAda.directMessages.push({ channel: direct, other: carol.id })
  theCarol.directMessages.push({ channel: direct, other: ada.id })
  const theEngine: ModelAccount = {
    ...model(bot),
    owner: theAda,
    applicationName: name,
    bot: true,
    email: null,
    dateOfBirth: null,
  }
  theAda.applications.push(theEngine)

  const people = [theAda, theBrian, theCarol, theEngine]
  const members = people.map(({ id }) => id)
  let texts = 0
  const world: AdminWorld = {
    accounts: new Map(people.map((account) => [account.id, account])),
    gone,
    signIn,
    home: { id: home.id, channel: home.channel, ownerId: carol.id, members },
    jobs: [],
    mails: [],
    addresses: new Set(people.flatMap(({ email }) => (email === null ? [] : [email]))),
    fresh: (prefix) => `${prefix}${ada.id}_${(texts += 1)}`,
  }
  return { world, ada: theAda, brian: theBrian, carol: theCarol, engine: theEngine }
}

/** Registers as somebody whose browser is in German. Mails are in the language of the registration. */
async function registerInGerman(guildhall: TestGuildhall): Promise<TestAccount> {
  const unique = randomBytes(6).toString('hex')
  const account = { email: `${unique}@example.com`, password: `pass ${unique}` }
  const body = { ...account, username: `user_${unique}`, date_of_birth: '1990-12-10', consent: true }
  const headers = { 'accept-language': 'de' }
  const { token, user_id } = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body, headers }))
  await countAsStarted(guildhall, String(user_id))
  return { ...account, token: String(token), id: String(user_id) }
}

/** TOTP, and a passkey that is chosen as a second factor too. Gives the passkey's id. */
async function giveFactors(guildhall: TestGuildhall, account: TestAccount): Promise<string> {
  const authenticator = authenticatorAt(guildhall)
  const { app } = await protect(guildhall, account)
  const proof = { mfa_method: 'totp', mfa_code: app.code() }
  const { credentialId } = await enrol(guildhall, account, authenticator, proof)
  const body = { enabled: true, ...(await sudoFields(guildhall, account, authenticator)) }
  const path = '/v1/users/@me/mfa/webauthn/second-factor'
  const { status } = await guildhall.request('PUT', path, { token: account.token, body })
  if (status !== 204) throw new Error(`Choosing passkeys was answered with ${status}`)
  return credentialId
}

/** The objects of accounts, as the custodian sees them: someone whose requests the model does not follow. */
async function looks(
  { request }: TestGuildhall,
  { token }: Pick<TestAccount, 'token'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Body>> {
  const query = ids.map((id) => `user_id=${id}`).join('&')
  const { users } = bodyOf(await request('GET', `/v1/admin/users?${query}`, { token }))
  return new Map((users as readonly Body[]).map((object) => [String(object['id']), object]))
}

/** A person as registered. The tag, and what no operation changes, come from the first look. */
function modelOf(
  { id, token, password = '' }: { readonly id: string; readonly token?: string; readonly password?: string },
  object: Body,
): ModelAccount {
  return {
    id,
    password,
    username: String(object['username']),
    discriminator: Number(object['discriminator']),
    globalName: null,
    bio: null,
    pronouns: null,
    bot: false,
    system: false,
    flags: 0n,
    premiumFlags: 0,
    email: object['email'] as string | null,
    emailVerified: Boolean(object['email_verified']),
    dateOfBirth: '1990-12-10',
    bannedUntil: null,
    deletion: null,
    bulkDeletionAt: null,
    reports: { open: 0, protected: 0 },
    acls: [],
    traits: [],
    hasTotp: false,
    choosesPasskeys: false,
    passkeys: [],
    owner: null,
    applicationName: null,
    applications: [],
    sessions: token === undefined ? [] : [{ token, ended: false }],
    changes: [],
    relationships: new Map(),
    messages: new Map(),
    directMessages: [],
    rest: restOf(object),
  }
}
