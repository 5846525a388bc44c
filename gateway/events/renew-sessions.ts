import { isDeepStrictEqual } from 'node:util'
import type { AccountRecord } from '../../application/ports/queries/account-queries.js'
import type { AccountId } from '../../domain/ids/ids.js'
import type { ChosenSettings } from '../../domain/user-settings/settings.js'
import { changesAccount } from '../dispatches/accounts/account-changed.js'
import type { World } from '../visibility/world.js'
import type { KnownEvent } from './known-event.js'

/** Gives the sessions of a changed account its new record. */
export function renewAccount(world: World, event: KnownEvent, accounts: ReadonlyMap<AccountId, AccountRecord>): void {
  if (!changesAccount(event)) return
  const record = accounts.get(event.data.accountId)
  for (const session of world.sessionsOf(event.data.accountId)) if (record) session.account = record
}

/**
 * Gives the sessions of an account its new settings. Sessions whose READY does not include the event take the chosen status, and
 * all take a changed custom status (reference gateway 2.3, User Settings Update).
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
