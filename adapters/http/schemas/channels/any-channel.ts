import { z } from 'zod'
import { privateChannel } from '../account/private-channels.js'
import { channel } from '../guilds/channels.js'
import { thread } from '../threads/thread-outputs.js'

/** A channel of any kind (reference gateway 3.4). */
export const anyChannel = z.union([channel, thread, privateChannel])
