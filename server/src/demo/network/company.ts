/** Settings of the demo's courier, as the superadmin would enter them. */
export const companySettings = {
  'company.registrationNumber': '201701012345 (1226510-W)',
  'company.taxNumber': 'W10-1808-32000417',
  'company.address': 'Lot 12, Jalan Gudang 16/9, Seksyen 16\n40200 Shah Alam, Selangor\nMalaysia',
  'company.phone': '+60355110234',
  'company.email': 'hello@waybill.example',
  'wallet.bonusPackages': [
    { fromMinor: 20_000, bonusMinor: 400 },
    { fromMinor: 50_000, bonusMinor: 1500 },
  ],
}
