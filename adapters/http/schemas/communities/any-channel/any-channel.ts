import { z } from 'zod'
import { privateChannel } from '../../conversations/private-channels.js'
import { channel } from '../channels.js'
import { thread } from '../../conversations/thread-outputs.js'

/** A channel of any kind. */
export const anyChannel = z.union([channel, thread, privateChannel])
