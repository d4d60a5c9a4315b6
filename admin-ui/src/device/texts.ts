const hu = {
  pair_lead: 'Írd be a nyolc betűből és számból álló kódot az admin Készülékek képernyőjéről.',
  code: 'Kód',
  connect: 'Csatlakozás',
  wrong: 'Ez a kód nem jó, vagy már lejárt.',
  wait: 'Túl sok próbálkozás. Várj egy kicsit.',
  unreachable: 'A szolgáltatás most nem érhető el.',
  for_kiosk: 'Ez egy kioszk kódja, és továbbra is jó. A kioszkon itt írd be: {where}',
  for_tv: 'Ez egy vendég TV kódja, és továbbra is jó. A TV-n itt írd be: {where}',
};

const en: typeof hu = {
  pair_lead: 'Enter the code of eight letters and digits from the Devices screen of the admin.',
  code: 'Code',
  connect: 'Connect',
  wrong: 'This code is wrong or has expired.',
  wait: 'Too many attempts. Please wait a little.',
  unreachable: 'The service cannot be reached at the moment.',
  for_kiosk: 'This is the code of a kiosk, and it is still good. On the kiosk, enter it here: {where}',
  for_tv: 'This is the code of a guest TV, and it is still good. On the TV, enter it here: {where}',
};

export const PAIRING = { hu, en };
export type PairingText = keyof typeof hu;
