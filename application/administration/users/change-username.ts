import { parseUsername } from '../../../domain/account/names.ts'
import type { Account } from '../../../domain/account/state.ts'
import { noDiscriminator } from '../../../domain/handle/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { sameJson } from '../../../domain/kernel/same-json.ts'
import { pauseAfterConflict } from '../../aggregates/pause-after-conflict.ts'
import type { Caller } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { contextOfTry } from '../../commands/following-context.ts'
import { Refused, reject } from '../../commands/refused.ts'
import { changeTag, type TagNeeds, type TagWish } from '../../identity/accounts/change-tag.ts'
import { tellAnyway } from '../../identity/accounts/tell-anyway.ts'
import type { ClaimedTag } from '../../identity/accounts/claim-identity.ts'
import { hasUniqueUsername, mayChoose } from '../../identity/own-account/change-own-tag.ts'
import type { Ports } from '../../ports.ts'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.ts'
import { actOnAccount, type ActNeeds } from '../acls/act-on-account.ts'
import { changedUser, requireTarget, type ChangedUserNeeds } from './target-account.ts'

/** The account, and its tags before and after. */
export interface RenamedUser {
  readonly user: AdminUserObject
  readonly before: ClaimedTag
  readonly after: ClaimedTag
}

type Needs = ActNeeds & ChangedUserNeeds & TagNeeds & Pick<Ports, 'instance' | 'limits'>

/** How long other changes of the same tag are waited for. */
const conflict_ms_max = 10_000

/** The field codes of a tag that cannot be had. */
const unavailable: ReadonlySet<string> = new Set(['TAG_ALREADY_TAKEN', 'TOO_MANY_USERS_WITH_THIS_USERNAME'])

/**
 * Changes the tag of an account. A discriminator counts only if the account may choose one; else the account keeps its
 * own where that is free, and gets another where it is not. Refuses with INVALID_FORM_BODY with the codes of
 * `parseUsername` and USERNAME_ALREADY_TAKEN on `username` and those of `allowedWish` on `discriminator`, UNKNOWN_USER,
 * and TAG_ALREADY_TAKEN, also if another change of the tag does not end in time, and as `requireMayAct`. See
 * rules/administration#accounts.
 */
export function changeUsername(ports: Needs, { wait_ms_max = conflict_ms_max } = {}) {
  return async (caller: Caller, target: AccountId, given: TagWish): Promise<RenamedUser> => {
    const parsed = parseUsername(given.username, ports.instance.serviceName)
    const username = parsed.ok ? parsed.value : reject('INVALID_FORM_BODY', field('username', parsed.code))
    const until = performance.now() + wait_ms_max
    for (let tries = 0; ; tries += 1) {
      const { account, after } = await actOnAccount(
        ports,
        caller,
        target,
        { act: 'Change user username' },
        async () => {
          const account = await requireTarget(ports, target)
          const wish = await allowedWish(ports, account, { ...given, username })
          return { account, after: await tagAfter(ports, account, wish, contextOfTry(caller.context, tries)) }
        },
      )
      if (after) {
        const before = tagOf(account)
        if (sameJson(before, after)) tellAnyway(ports, target, [])
        return { user: await changedUser(ports, caller, target), before, after }
      }
      if (performance.now() > until) reject('TAG_ALREADY_TAKEN')
      await pauseAfterConflict(tries + 2)
    }
  }
}

/**
 * The wish, without a discriminator that the account may not choose. Refuses with INVALID_FORM_BODY with
 * DISCRIMINATOR_NOT_SUPPORTED_ON_INSTANCE on `discriminator` where the instance has none: for any of a person but 0, and for 0 of
 * a bot, which would have the tag of a person.
 */
async function allowedWish(ports: Needs, account: Account, { username, discriminator }: TagWish): Promise<TagWish> {
  const policy = await ports.instancePolicies.current()
  if (hasUniqueUsername(account, policy)) {
    if (discriminator !== null && discriminator !== noDiscriminator)
      reject('INVALID_FORM_BODY', field('discriminator', 'DISCRIMINATOR_NOT_SUPPORTED_ON_INSTANCE'))
    return { username, discriminator: null }
  }
  if (discriminator === null || !(await mayChoose(ports, account, policy))) return { username, discriminator: null }
  if (discriminator === noDiscriminator && policy.accountIdentity.tagStyle === 'none')
    reject('INVALID_FORM_BODY', field('discriminator', 'DISCRIMINATOR_NOT_SUPPORTED_ON_INSTANCE'))
  return { username, discriminator }
}

/** The new tag; undefined if another change of the tag is in the way. Refuses with TAG_ALREADY_TAKEN. */
async function tagAfter(
  ports: Needs,
  account: Account,
  wish: TagWish,
  context: CommandContext,
): Promise<ClaimedTag | undefined> {
  try {
    return await changeTag(ports, account, wish, context)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { code, fields } = error.refusal
    if (code === 'CONFLICT') return undefined
    if (code === 'INVALID_FORM_BODY' && fields.some((each) => unavailable.has(each.code))) reject('TAG_ALREADY_TAKEN')
    throw error
  }
}

function tagOf({ username, discriminator }: ClaimedTag): ClaimedTag {
  return { username, discriminator }
}
