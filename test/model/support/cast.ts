import { asBot, newApplication, type TestApplication } from '../../operations/support/applications.ts'
import { bodyOf } from '../../operations/support/answers.ts'
import { asBearer, newClient, tokensFor } from '../../operations/support/oauth2.ts'
import { befriend, setFlags, tagOf, unclaimed } from '../../operations/support/relationships.ts'
import { protect, sudoProofOf, type ProtectedAccount } from '../../support/authenticator.ts'
import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.ts'
import { earOf, stayPresent, type Ear } from '../news/ear.ts'

/** The six kinds of callers, and one without a credential. */
export const callerNames = [
  'owner',
  'moderator',
  'member',
  'stranger',
  'guest',
  'bot',
  'engine',
  'bearer',
  'otherBearer',
  'nobody',
] as const
export type CallerName = (typeof callerNames)[number]

/** An account in the terms of the model. */
export interface Person {
  readonly id: string
  readonly isBot: boolean
  /** Whether somebody can sign in to it: nobody can sign in to a guest. */
  readonly isClaimed: boolean
  /** Whether it proves itself with an authenticator instead of a password. */
  readonly hasSecondFactor: boolean
  /** Whether it may use elevated permissions where they require an authenticator; a bot counts as its owner does. */
  readonly isEnrolled: boolean
  readonly isStaff: boolean
  /** Whether it has a session at the Gateway. */
  readonly isPresent: boolean
  /** For those who are in groups. */
  readonly username?: string
}

/** A sender of requests. */
export interface ModelCaller {
  readonly name: CallerName
  readonly person: Person | undefined
  /** The scopes of an OAuth2 access token; undefined for every other credential. */
  readonly scopes: readonly string[] | undefined
  readonly authorization: string | undefined
  /** Each caller has another address; otherwise a ban of one would ban all. */
  readonly ip: string
  readonly password: string | undefined
}

/** Everybody that a model test knows, with their credentials and proofs. */
export interface Cast {
  readonly callers: Readonly<Record<CallerName, ModelCaller>>
  /** Accounts that can get roles, be banned and so on. */
  readonly people: readonly ModelCaller[]
  /** Renews proofs so that they last for a run, before anybody has guilds. */
  renewProofs(): Promise<void>
  /** The sudo proof of a caller with an authenticator. */
  proofOf(caller: ModelCaller): string
  /** What the owner's session heard since the last call. */
  readonly hear: Ear['hear']
  end(): void
}

const proof_ms = 120_000

const plain: Omit<Person, 'id'> = {
  isBot: false,
  isClaimed: true,
  hasSecondFactor: false,
  isEnrolled: false,
  isStaff: false,
  isPresent: false,
}

/**
 * Registers everybody. The owner and the member have authenticators and are present, and the member is staff. Those who sign in
 * are friends of each other.
 */
export async function castOf(guildhall: TestGuildhall): Promise<Cast> {
  const [owner, member] = [
    await protect(guildhall, await guildhall.register()),
    await protect(guildhall, await guildhall.register()),
  ]
  const [moderator, stranger] = [await guildhall.register(), await guildhall.register()]
  const guest = await unclaimed(guildhall)
  await setFlags(guildhall, member, 'STAFF')
  const [bot, engine] = [await newApplication(guildhall, moderator), await newApplication(guildhall, owner)]
  const client = await newClient(guildhall, stranger)
  const tokens = await tokensFor(guildhall, owner, client, 'identify guilds')
  const otherTokens = await tokensFor(guildhall, owner, client, 'identify')
  const stay = await stayPresent(guildhall, member)
  const friends = [owner, moderator, member, stranger]
  for (const [place, one] of friends.entries())
    for (const other of friends.slice(place + 1)) await befriend(guildhall, one, other)
  // Nobody else renames the friend that marks the ear.
  const ear = await earOf(guildhall, owner, await guildhall.register())
  const named = async (account: TestAccount, person: Person): Promise<Person> => ({
    ...person,
    username: (await tagOf(guildhall, account)).username,
  })

  const guarded = { ...plain, hasSecondFactor: true, isEnrolled: true }
  const theOwner = await named(owner, { ...guarded, id: owner.id, isPresent: true })
  const aBot = ({ id }: TestApplication, isEnrolled: boolean): Person => ({ ...plain, id, isBot: true, isEnrolled })
  const list: readonly ModelCaller[] = [
    signedIn('owner', owner, theOwner, 1),
    signedIn('moderator', moderator, await named(moderator, { ...plain, id: moderator.id }), 2),
    signedIn('member', member, await named(member, { ...guarded, id: member.id, isStaff: true, isPresent: true }), 3),
    signedIn('stranger', stranger, await named(stranger, { ...plain, id: stranger.id }), 4),
    signedIn('guest', guest, { ...plain, id: guest.id, isClaimed: false }, 5),
    callerOf('bot', aBot(bot, false), asBot(bot), 6),
    callerOf('engine', aBot(engine, true), asBot(engine), 7),
    { ...callerOf('bearer', theOwner, asBearer(tokens), 8), scopes: ['identify', 'guilds'] },
    { ...callerOf('otherBearer', theOwner, asBearer(otherTokens), 8), scopes: ['identify'] },
    callerOf('nobody', undefined, undefined, 9),
  ]
  const callers = Object.fromEntries(list.map((caller) => [caller.name, caller])) as unknown as Cast['callers']
  return {
    callers,
    people: list.filter(({ person, scopes }) => person !== undefined && scopes === undefined),
    ...proofsOf(guildhall, { owner, member }),
    hear: ear.hear,
    end() {
      stay.end()
      ear.end()
    },
  }
}

function callerOf(
  name: CallerName,
  person: Person | undefined,
  authorization: string | undefined,
  place: number,
): ModelCaller {
  return { name, person, authorization, scopes: undefined, ip: `203.0.113.${place}`, password: undefined }
}

function signedIn(
  name: CallerName,
  account: { readonly token: string; readonly password?: string },
  person: Person,
  place: number,
): ModelCaller {
  return { ...callerOf(name, person, account.token, place), password: account.password }
}

/** Earns proofs by letting people delete guilds of theirs, each once in two minutes: a proof lasts for five. */
function proofsOf(
  { request }: TestGuildhall,
  accounts: Readonly<Record<string, ProtectedAccount>>,
): Pick<Cast, 'renewProofs' | 'proofOf'> {
  const proofs = new Map<string, string>()
  let newest_ms = 0
  return {
    async renewProofs() {
      if (newest_ms > Date.now() - proof_ms) return
      for (const [name, { token, app }] of Object.entries(accounts)) {
        const { id } = bodyOf(await request('POST', '/v1/guilds', { token, body: { name: 'For a moment' } }))
        const body = { mfa_method: 'totp', mfa_code: app.code() }
        const answer = await request('POST', `/v1/guilds/${String(id)}/delete`, { token, body })
        const proof = sudoProofOf(answer)
        if (proof === null) throw new Error(`No proof came with ${answer.status}: ${JSON.stringify(answer.body)}`)
        proofs.set(name, proof)
      }
      newest_ms = Date.now()
    },
    proofOf({ name }) {
      const proof = proofs.get(name)
      if (proof === undefined) throw new Error(`${name} has no proof`)
      return proof
    },
  }
}
