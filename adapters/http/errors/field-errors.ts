import type { z } from 'zod'
import { fieldCodes, type FieldCode } from '../../../domain/kernel/field-codes.ts'
import { field, type FieldError } from '../../../domain/kernel/refusal.ts'
import { faultOf, type Parsed } from './field-faults.ts'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

const known: ReadonlySet<unknown> = new Set(fieldCodes)

/**
 * The entries for a schema's findings, in its order, each with what is wrong as far as the schema says it (decision
 * 107).
 */
export function fieldErrors(issues: readonly Issue[], parsed: Parsed, path: Path = []): readonly FieldError[] {
  const notOfTheirType = new Set(
    issues.filter(({ code }) => code === 'invalid_type').map((issue) => pathText(issue.path)),
  )
  return issues.flatMap((issue) => {
    // A text instead of a list has a length too, but only its wrong type is reported.
    const isOfLength = issue.code === 'too_big' || issue.code === 'too_small'
    if (isOfLength && notOfTheirType.has(pathText(issue.path))) return []
    return entriesOf(issue, parsed, [...path, ...issue.path])
  })
}

/** Path segments joined with dots; `root` for the empty path. */
export function pathText(path: Path): string {
  return path.length === 0 ? 'root' : path.map(String).join('.')
}

function entriesOf(issue: Issue, parsed: Parsed, path: Path): readonly FieldError[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => field(pathText([...path, key]), 'INVALID_FORMAT'))
  if (issue.code === 'invalid_union') {
    const meant = alternativeMeant(issue.errors)
    if (meant) return fieldErrors(meant, parsed, path)
  }
  return [field(pathText(path), codeOf(issue), faultOf(issue, parsed, path))]
}

/** If a value has the type of one alternative only, that alternative's faults say more than "none fits". */
function alternativeMeant(alternatives: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const [meant, ...others] = alternatives.filter(
    (issues) =>
      !issues.some(({ code, path }) => path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')),
  )
  return others.length === 0 ? meant : undefined
}

function codeOf(issue: Issue): FieldCode {
  switch (issue.code) {
    case 'custom': {
      const code: unknown = issue.params?.['code']
      return isFieldCode(code) ? code : 'INVALID_FORMAT'
    }
    case 'too_big':
      return issue.origin === 'string' ? 'CONTENT_EXCEEDS_MAX_LENGTH' : 'INVALID_FORMAT'
    case 'invalid_format':
      return issue.format === 'email'
        ? 'INVALID_EMAIL_ADDRESS'
        : issue.format === 'uuid'
          ? 'INVALID_SNOWFLAKE'
          : 'INVALID_FORMAT'
    default:
      return 'INVALID_FORMAT'
  }
}

function isFieldCode(code: unknown): code is FieldCode {
  return known.has(code)
}
