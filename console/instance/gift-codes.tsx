import { useTranslate } from 'react-admin'
import { ActButtons } from '../acts/act-buttons.tsx'

/** Makes gift codes. They are shown once, in the answer. */
export function GiftCodes() {
  const translate = useTranslate()
  return (
    <>
      <p>{translate('console.instance.gift_codes_help')}</p>
      <ActButtons acts={[{ id: 'generateGiftCodes' }]} />
    </>
  )
}
