import type { ErrorCode } from '../../../domain/kernel/error-codes.js'
import type { FieldCode } from '../../../domain/kernel/field-codes.js'
import type { Language } from '../../../domain/text/languages.js'
import { errorMessages } from './error-messages.js'
import { germanErrorMessages } from './error-messages-de.js'
import { fieldMessages } from './field-messages.js'
import { germanFieldMessages } from './field-messages-de.js'

/** The messages for people that belong to codes. */
export interface Messages {
  readonly errors: Readonly<Record<ErrorCode, string>>
  readonly fields: Readonly<Record<FieldCode, string>>
}

export const messagesIn: Readonly<Record<Language, Messages>> = {
  en: { errors: errorMessages, fields: fieldMessages },
  de: { errors: germanErrorMessages, fields: germanFieldMessages },
}
