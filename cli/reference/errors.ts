import { errorMessages } from '../../adapters/http/errors/error-messages.ts'
import { fieldMessages } from '../../adapters/http/errors/field-messages.ts'
import { errorCodes, type ErrorCode } from '../../domain/kernel/error-codes.ts'
import { fieldCodes } from '../../domain/kernel/field-codes.ts'
import { code, page, table } from './markdown.ts'

/** Every code of an error answer with its status, and every code of a field. */
export function errorsPage(): string {
  return page(
    '# Error codes',
    'An error answer has a `code`, a `message` and, where fields are wrong, `errors` with a code for each. Clients go by the codes, which never change and are never translated. Messages are free to change; they are in the language of the caller, and stand here in English.',
    '## Codes of answers',
    table(
      ['code', 'status', 'message'],
      errorCodesInOrder().map((name) => [code(name), `${errorCodes[name]}`, errorMessages[name]]),
    ),
    '## Codes of fields',
    'These stand in `errors` of an answer with `INVALID_FORM_BODY`.',
    table(
      ['code', 'message'],
      fieldCodes.map((name) => [code(name), fieldMessages[name]]),
    ),
  )
}

function errorCodesInOrder(): readonly ErrorCode[] {
  return Object.keys(errorCodes).filter(isErrorCode)
}

function isErrorCode(name: string): name is ErrorCode {
  return Object.hasOwn(errorCodes, name)
}
