import { z } from 'zod'
import { privateChannel } from '../../conversations/private-channels.ts'
import { channel } from '../channels.ts'
import { thread } from '../../conversations/thread-outputs.ts'

/** A channel of any kind. */
export const anyChannel = z.union([channel, thread, privateChannel])
