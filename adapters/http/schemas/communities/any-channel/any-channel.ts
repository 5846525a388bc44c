import { z } from 'zod'
import { privateChannelSchema } from '../../../../../application/wire-objects/conversations/private-channel-objects.ts'
import { channelSchema } from '../../../../../application/wire-objects/communities/channel-objects.ts'
import { threadSchema } from '../../../../../application/wire-objects/conversations/thread-objects.ts'

/** A channel of any kind. */
export const anyChannel = z.union([channelSchema, threadSchema, privateChannelSchema])
