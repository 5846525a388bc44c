import type { ErrorCode } from '../../../domain/kernel/error-codes.ts'
import type { FieldCode } from '../../../domain/kernel/field-codes.ts'
import type { FieldFault } from '../../../domain/kernel/refusal.ts'
import type { Language } from '../../../domain/text/languages.ts'
import { errorMessages } from './error-messages.ts'
import { germanErrorMessages } from './error-messages-de.ts'
import { fieldMessages } from './field-messages.ts'
import { germanFieldMessages } from './field-messages-de.ts'

/** The messages for people that belong to codes. */
export interface Messages {
  readonly errors: Readonly<Record<ErrorCode, string>>
  readonly fields: Readonly<Record<FieldCode, string>>
  /** A reason's message replaces that of INVALID_FORMAT. The one for what is not supported replaces every other. */
  readonly reasons: Readonly<Record<FieldFault['reason'], string>>
}

const reasons: Messages['reasons'] = {
  missing: 'The value is missing.',
  wrong_type: 'The value is of the wrong type.',
  not_one_of: 'The value is none of the possible ones.',
  out_of_range: 'The value is out of its bounds.',
  wrong_length: 'The value is too short or too long.',
  malformed_json: 'The body is not valid JSON.',
  not_supported: 'This server does not support it.',
}

const germanReasons: Messages['reasons'] = {
  missing: 'Der Wert fehlt.',
  wrong_type: 'Der Wert hat den falschen Typ.',
  not_one_of: 'Der Wert ist keiner der möglichen.',
  out_of_range: 'Der Wert liegt außerhalb seiner Grenzen.',
  wrong_length: 'Der Wert ist zu kurz oder zu lang.',
  malformed_json: 'Der Inhalt ist kein gültiges JSON.',
  not_supported: 'Dieser Server unterstützt das nicht.',
}

export const messagesIn: Readonly<Record<Language, Messages>> = {
  en: { errors: errorMessages, fields: fieldMessages, reasons },
  de: { errors: germanErrorMessages, fields: germanFieldMessages, reasons: germanReasons },
}
