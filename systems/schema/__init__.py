"""What a sheet, an option or a house rule may hold: field types, declared fields, conversion."""
