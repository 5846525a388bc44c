import { sql, type Piece } from '../../application/ports/database.js'

/**
 * The row of this guild is all of its application's stream. What follows an event that cannot be read is not known:
 * such an application is in no list.
 */
export function isWholeOf(guildId: Piece): Piece {
  return sql.fragment`not exists (
    select from read_models.parked p
    where p.schema = 'discovery' and p.stream = 'discovery_application-' || ${guildId})`
}
