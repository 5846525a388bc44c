import type { Piece } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'

/**
 * Whether the row of this guild shows all of its application's stream. An event that cannot be read was left out, and
 * what it changed is not known: such an application is in no list.
 */
export function isWholeOf(guildId: Piece): Piece {
  return sql.fragment`not exists (
    select from read_models.parked p
    where p.schema = 'discovery' and p.stream = 'discovery_application-' || ${guildId})`
}
