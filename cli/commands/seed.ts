import { openMessages } from '../../adapters/messages/open-messages.ts'
import type { AccountId, InviteCode } from '../../domain/ids/ids.ts'
import { openAggregates } from '../../process/aggregates.ts'
import { heldPosition } from '../../projections/read-models.ts'
import { interruptible } from '../interruptible.ts'
import { actAsOperator } from '../operator/act-as-operator.ts'
import { progressBar } from '../progress-bar.ts'
import { chanceOf } from '../seed/chance.ts'
import { pastOf } from '../seed/past.ts'
import { seedGuild } from '../seed/seed-guild.ts'
import { seedMembers } from '../seed/seed-members.ts'
import { seedMessages } from '../seed/seed-messages.ts'
import { newPerson, registerPerson } from '../seed/seed-people.ts'
import { past_ms, wishOf, type SeedOptions, type SeedWish } from '../seed/seed-wish.ts'
import type { SeededGuild, Seeding } from '../seed/seeding.ts'
import type { Store } from '../../process/store.ts'
import { accountNamed } from './account-named.ts'
import { report } from './beside.ts'
import { changeBesideServer } from './change-beside.ts'
import { policiesOf } from './instance.ts'

/**
 * Fills an instance with a guild that looks used: accounts, roles, channels, invites and the members who joined by them,
 * messages. All of it is made of the domain's own events, so that every rule of history holds for it. Also works beside a
 * running server, which sends its sessions the usual dispatches.
 */
export async function seed(options: SeedOptions, print: (line: string) => void): Promise<void> {
  const wish = wishOf(options)
  const began = performance.now()
  const { guild, ownerId, code } = await interruptible((signal) =>
    changeBesideServer({ print, makesInstance: true }, (store) => seedInto(store, wish, signal)),
  )
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const { members_count, messages_count } = wish.sizes
  print(
    `Guild ${guild.id} (${guild.name}) of account ${ownerId}: ${members_count + 1} members, ${guild.roles.length} roles,`,
  )
  print(`${guild.channels.length} channels and ${messages_count} messages, in ${seconds} s.`)
  print('A running server shows it at once; otherwise the next server that starts does.')
  const owned = wish.owner === undefined ? '' : ', or sign in as its owner'
  print(`To enter it, accept the invite ${code} (POST /v1/invites/${code}) with an account of your own${owned}.`)
}

interface SeededInstance extends SeededGuild {
  readonly code: InviteCode
}

async function seedInto(store: Store, wish: SeedWish, signal: AbortSignal): Promise<SeededInstance> {
  const bar = progressBar('seeding')
  const { members_count, messages_count } = wish.sizes
  const all = members_count + 1 + messages_count
  const onProgress = (done: number): void => bar.show(done / all, `${done} of ${all} members and messages`)
  const { database, notifier } = store
  const opened = openMessages({ database, heldPosition, notifier, onError: report })
  try {
    const seeding = await seedingOf(store, wish, { messages: opened.messages, signal, onProgress })
    const seeded = await seedGuild(seeding, await ownerOf(seeding, store, wish))
    await actAsOperator(store, {
      action: 'seed_guild',
      target: { type: 'guild', id: seeded.guild.id },
      // Recorded before the long part: an interrupted command has its entry too.
      run: () => Promise.resolve(),
      metadata: () => ({ members: String(members_count), messages: String(messages_count) }),
    })
    const { members, code } = await seedMembers(seeding, seeded)
    await seedMessages(seeding, seeded, members)
    return { ...seeded, code }
  } finally {
    bar.end()
    await opened.close()
  }
}

async function seedingOf(
  store: Store,
  { sizes, guildName, seed: number, until_ms }: SeedWish,
  means: Pick<Seeding, 'messages' | 'signal' | 'onProgress'>,
): Promise<Seeding> {
  const aggregates = openAggregates({ store: store.events, snapshots: store.snapshots })
  const { accountIdentity } = await (await policiesOf(store)).current()
  const chance = chanceOf(number)
  const past = pastOf(chance, { from_ms: until_ms - past_ms, until_ms })
  const withoutDiscriminators = accountIdentity.tagStyle === 'none'
  return { sizes, guildName, chance, past, store, aggregates, withoutDiscriminators, ...means }
}

/** The account that the options name, or a made-up one. */
async function ownerOf(seeding: Seeding, store: Store, { owner }: SeedWish): Promise<AccountId> {
  if (owner !== undefined) return accountNamed(owner, store, seeding.aggregates)
  const person = newPerson(seeding, seeding.past.from_ms)
  await registerPerson(seeding, person)
  return person.id
}
