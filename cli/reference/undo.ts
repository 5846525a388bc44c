import { undoRules } from '../../application/administration/undo/undo-rules.ts'
import { code, page, table } from './markdown.ts'

/** Which acts of administrators and commands can be taken back, as the rules say. */
export function undoPage(): string {
  const rules = Object.entries(undoRules).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return page(
    '# Undo',
    'What takes back an act of an administrator or of a command ([rules](../rules/administration.md#undo)), by its action in the admin audit log, or by the type of its event where it leaves no entry there. It is refused where a later change of the same thing stands in the way, and names that change.',
    '## What is taken back',
    table(
      ['act', 'what its undoing does'],
      rules.flatMap(([name, rule]) => ('says' in rule ? [[code(name), rule.says]] : [])),
    ),
    '## What is not',
    table(
      ['act', 'why'],
      rules.flatMap(([name, rule]) => ('never' in rule ? [[code(name), rule.never]] : [])),
    ),
  )
}
