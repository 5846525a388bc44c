import { useTranslate } from 'react-admin'
import { Facts } from './facts.tsx'

/** The members of an object in a cell of a table, folded until somebody looks. */
export function Folded({ of, without }: { readonly of: object; readonly without?: readonly string[] }) {
  const translate = useTranslate()
  return (
    <details>
      <summary>{translate('console.acts.details')}</summary>
      <Facts of={of} without={without} />
    </details>
  )
}
