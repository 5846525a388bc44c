import { isDeepStrictEqual } from 'node:util'
import type { AccountRecord } from '../../application/ports/queries/account-queries.js'
import type { AccountId } from '../../domain/ids/ids.js'
import type { ChosenSettings } from '../../domain/user-settings/settings.js'
import { changesAccount } from '../dispatches/accounts/account-changed.js'
import type { World } from '../visibility/world.js'
import type { KnownEvent } from './known-event.js'

/** The sessions of an account that has changed know it as it is now. */
export function renewAccount(world: World, event: KnownEvent, accounts: ReadonlyMap<AccountId, AccountRecord>): void {
  if (!changesAccount(event)) return
  const record = accounts.get(event.data.accountId)
  for (const session of world.sessionsOf(event.data.accountId)) if (record) session.account = record
}

/**
 * The sessions of an account that has chosen otherwise know what it has chosen now. Those that do not have the event in their
 * READY take the status that was chosen, and all of them another custom status (reference gateway 2.3, User Settings Update).
 */
export function renewSettings(world: World, event: KnownEvent, chosen: ChosenSettings | undefined): void {
  if (event.type !== 'UserSettingsChanged' || !chosen) return
  const { status } = event.data.changes
  for (const session of world.sessionsOf(event.data.accountId)) {
    if (!isDeepStrictEqual(session.settings.customStatus ?? null, chosen.customStatus ?? null))
      session.customStatus = undefined
    session.settings = chosen
    if (status === undefined || session.since >= event.position) continue
    session.presence = { ...session.presence, status }
    world.recountOnline(session)
  }
}
