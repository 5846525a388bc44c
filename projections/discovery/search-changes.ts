import type { GuildId } from '../../domain/ids/ids.ts'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import { patch, put, type RowChange } from '../runner/projection.ts'

type At = Pick<RecordedEvent, 'position'>

/** It applied: from now on its changes are of interest. */
export function searchBegins({ position }: At, guildId: GuildId): RowChange {
  return put('search_changes', { guild_id: guildId, position: position.toString() })
}

/** Its listing, its name or its members changed: of interest only if it ever applied. */
export function searchChanged({ position }: At, guildId: GuildId): RowChange {
  return patch('search_changes', { guild_id: guildId }, { position: position.toString() })
}
