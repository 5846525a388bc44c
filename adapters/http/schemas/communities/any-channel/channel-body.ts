import { z } from 'zod'
import type { ChannelBody } from '../../../../../application/communities/channels/found-channel.ts'
import { reject } from '../../../../../application/commands/refused.ts'
import { fieldErrors } from '../../../errors/field-errors.ts'
import { channelChanges } from '../channel-inputs.ts'
import { threadChanges } from '../../conversations/thread-inputs.ts'
import { shownAs } from '../../shown-as.ts'
import { groupChanges } from './group-changes.ts'

/**
 * The body of Modify channel: any object. Its members are parsed once the channel's kind is known, and refused then as
 * in every body.
 */
export const channelBody = shownAs(
  z.looseObject({}).transform((given): ChannelBody => ({
    ofGuildChannel: () => read(channelChanges, given),
    ofThread: () => read(threadChanges, given),
    ofPrivateChannel: () => read(groupChanges, given),
  })),
  z
    .union([channelChanges, threadChanges, groupChanges])
    .meta({ description: 'By the kind of the channel: one of a guild, a thread, or a group.' }),
)

function read<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const { data, error } = schema.safeParse(given)
  if (error) return reject('INVALID_FORM_BODY', ...fieldErrors(error.issues, { schema, value: given }))
  return data
}
