-- The gateway cannot charge a customer who is not there, so nothing ever topped up by this rule.
alter table wallet_preferences
  drop column if exists auto_top_up,
  drop column if exists auto_threshold_minor,
  drop column if exists auto_amount_minor;
delete from settings where key = 'wallet.autoTopUpAllowed';
