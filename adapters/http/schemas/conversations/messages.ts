import { z } from 'zod'
import { messageSchema } from '../../../../application/wire-objects/conversations/message-objects.ts'

export const messageList = z.array(messageSchema).readonly()
