import { ExportButton, useTranslate } from 'react-admin'

/** Exports a list as CSV. It is named in every case: on a phone React-admin's own has no name while there is nothing to export. */
export function NamedExportButton() {
  const translate = useTranslate()
  return <ExportButton aria-label={translate('ra.action.export')} />
}
