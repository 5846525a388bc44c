import { openAggregates } from '../../process/aggregates.ts'
import type { Store } from '../../process/store.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import { actOnGuild, type ActOptions, type Print } from '../operator/act-on.ts'
import { accountNamed } from './account-named.ts'
import { guildIn } from './guild-named.ts'

/** Renames a guild. */
export async function renameGuild(text: string, name: string, options: ActOptions, print: Print): Promise<void> {
  const id = guildIn(text)
  await actOnGuild(id, options, print, async () => ({
    asked: { operation: 'Update Admin guild', body: { name } },
    said: () => `Guild ${id} is named ${JSON.stringify(name)}.`,
  }))
}

/** Makes a member the owner of a guild. */
export async function giveGuild(text: string, who: string, options: ActOptions, print: Print): Promise<void> {
  const id = guildIn(text)
  await actOnGuild(id, options, print, async (store) => {
    const owner = await accountIn(who, store)
    return {
      asked: { operation: 'Set guild owner', body: { new_owner_id: owner } },
      said: () => `Account ${owner} owns guild ${id}.`,
    }
  })
}

export type VanityOptions = ActOptions & { readonly remove?: boolean }

/** Sets the custom invite code of a guild, or takes it away. */
export async function setGuildCode(
  text: string,
  code: string | undefined,
  options: VanityOptions,
  print: Print,
): Promise<void> {
  const id = guildIn(text)
  if ((code === undefined) === (options.remove !== true)) throw new Error('Name a code, or give --remove')
  await actOnGuild(id, options, print, async () =>
    code === undefined
      ? {
          asked: { operation: 'Remove guild custom invite URL' },
          said: () => `Guild ${id} has no custom invite code.`,
        }
      : {
          asked: { operation: 'Set guild custom invite URL', body: { code } },
          said: () => `Guild ${id} has the custom invite code ${code}.`,
        },
  )
}

/** Makes an account a member of a guild. */
export function addMember(text: string, who: string, options: ActOptions, print: Print): Promise<void> {
  return onMember(text, who, options, print, {
    operation: 'Add guild member',
    said: (account, guild) => `Account ${account} is a member of guild ${guild}.`,
  })
}

/** Ends a membership. */
export function kickMember(text: string, who: string, options: ActOptions, print: Print): Promise<void> {
  return onMember(text, who, options, print, {
    operation: 'Kick guild member',
    said: (account, guild) => `Account ${account} is no member of guild ${guild}.`,
  })
}

export type BanMemberOptions = ActOptions & {
  readonly seconds: string
  readonly deleteMessages: string
  readonly banReason?: string
}

/** Bans an account from a guild. */
export function banMember(text: string, who: string, options: BanMemberOptions, print: Print): Promise<void> {
  return onMember(text, who, options, print, {
    operation: 'Ban guild member',
    body: {
      ban_duration_seconds: wholeNumber('--seconds', options.seconds),
      delete_message_seconds: wholeNumber('--delete-messages', options.deleteMessages),
      reason: options.banReason ?? null,
    },
    said: (account, guild) => `Account ${account} is banned from guild ${guild}.`,
  })
}

/** Lifts such a ban. */
export function unbanMember(text: string, who: string, options: ActOptions, print: Print): Promise<void> {
  return onMember(text, who, options, print, {
    operation: 'Unban guild member',
    said: (account, guild) => `Account ${account} is not banned from guild ${guild}.`,
  })
}

/** Deletes a guild for good. */
export async function deleteGuild(text: string, options: ActOptions, print: Print): Promise<void> {
  const id = guildIn(text)
  await actOnGuild(id, options, print, async () => ({
    asked: { operation: 'Delete Admin guild' },
    said: () => `Guild ${id} is deleted.`,
  }))
}

interface MemberAct {
  readonly operation: string
  readonly body?: object
  readonly said: (account: AccountId, guild: string) => string
}

async function onMember(
  text: string,
  who: string,
  options: ActOptions,
  print: Print,
  { operation, body, said }: MemberAct,
): Promise<void> {
  const id = guildIn(text)
  await actOnGuild(id, options, print, async (store) => {
    const account = await accountIn(who, store)
    const params = { guild_id: id, user_id: account }
    return { asked: { operation, params, ...(body && { body }) }, said: () => said(account, id) }
  })
}

function accountIn(who: string, store: Store): Promise<AccountId> {
  return accountNamed(who, store, openAggregates({ store: store.events, snapshots: store.snapshots }))
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,8}$/.test(text)) throw new Error(`${option} ${text} is not a whole number`)
  return Number(text)
}
