import { z } from 'zod'
import { accountId } from '../../../../../domain/ids/ids.ts'
import { parseSnowflake } from '../../../../../domain/ids/snowflake.ts'
import type { Length } from '../../../../../domain/text/normalise.ts'
import { profileImageInput } from '../../images.ts'
import { accountIdInput, issue, nameInput, textInput } from '../../scalars.ts'

const nameLength: Length = { min: 1, max: 100 }
const nickLength: Length = { min: 1, max: 32 }
/** As many as a group may have recipients. */
const nicks_max = 50

const nicks = z
  .record(z.string(), textInput(nickLength).nullable())
  .refine((given) => Object.keys(given).length <= nicks_max)
  .transform((given, context) =>
    Object.entries(given).map(([id, nick]) => {
      const parsed = parseSnowflake(id)
      return { accountId: parsed.ok ? accountId(parsed.id) : issue(context, parsed.code), nick }
    }),
  )

/** The body of Modify channel for a group. */
export const groupChanges = z
  .object({
    name: nameInput(nameLength).nullable().optional(),
    icon: profileImageInput.nullable().optional(),
    owner_id: accountIdInput.optional(),
    nicks: nicks.optional(),
  })
  .transform(({ name, icon, owner_id: ownerId, nicks: given }) => ({ name, icon, ownerId, nicks: given }))
